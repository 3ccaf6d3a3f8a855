-- The newest that a listing of campaigns said of each asset that is linked.
-- Dates that can't be read are unknown here.
-- Of two listings of one instant that of the first owner counts, whichever is loaded first.
-- Reads: temp.campaign_asset, temp.listing
-- Makes: core.linked_asset
merge into core.linked_asset as c
using (
    select distinct on (kind, asset_id)
        l.kind,
        a.asset_id,
        a.duration,
        case when a.end_date is distinct from date '1000-01-01' then a.start_date end as start_date,
        nullif(a.end_date, date '1000-01-01') as end_date,
        l.requested_at as seen_at,
        l.owner_kind,
        l.owner_id
    from temp.campaign_asset as a
    inner join temp.listing as l on l.place = a.place
    order by l.kind, a.asset_id, l.requested_at desc, l.owner_kind, l.owner_id, a.campaign_id
) as s using (kind, asset_id)
when matched and (
    c.seen_at < s.seen_at
    or (c.seen_at = s.seen_at and (c.owner_kind, c.owner_id) >= (s.owner_kind, s.owner_id))
)
    then update
when not matched
    then insert;
