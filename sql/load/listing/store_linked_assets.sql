-- The newest that a listing of campaigns said of each asset that is linked.
-- Of two listings of one instant that of the first owner counts, whichever is loaded first.
-- Reads: core.linked_asset, temp.campaign_asset, temp.listing, temp.seen_asset
-- Makes: core.linked_asset, temp.seen_asset
insert into temp.seen_asset
select distinct on (kind, asset_id)
    l.kind,
    a.asset_id,
    a.duration,
    a.start_date,
    a.end_date,
    l.requested_at as seen_at,
    l.owner_kind,
    l.owner_id
from temp.campaign_asset as a
inner join temp.listing as l on l.place = a.place
order by l.kind, a.asset_id, l.requested_at desc, l.owner_kind, l.owner_id, a.campaign_id;

delete from core.linked_asset
using temp.seen_asset as s
where
    linked_asset.kind = s.kind
    and linked_asset.asset_id = s.asset_id
    and (
        linked_asset.seen_at < s.seen_at
        or (
            linked_asset.seen_at = s.seen_at
            and (linked_asset.owner_kind, linked_asset.owner_id) >= (s.owner_kind, s.owner_id)
        )
    );

insert into core.linked_asset
select s.*
from temp.seen_asset as s
anti join core.linked_asset as l on l.kind = s.kind and l.asset_id = s.asset_id
