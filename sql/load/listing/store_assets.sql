-- Assets into core: of each owner's assets, what its newest listing that holds them says.
-- Reads: core.asset_snapshot, temp.asset, temp.listing
-- Makes: core.asset_snapshot
delete from core.asset_snapshot
using temp.asset as a
inner join temp.listing as l on l.place = a.place
where
    asset_snapshot.kind = l.kind
    and case when asset_snapshot.zone_id is null then 'group' else 'zone' end = l.owner_kind
    and coalesce(asset_snapshot.zone_id, asset_snapshot.group_id) = l.owner_id
    and asset_snapshot.asset_id = a.asset_id
    and asset_snapshot.requested_at <= l.requested_at;

insert into core.asset_snapshot by name
select
    l.snapshot_id,
    l.kind,
    l.group_id,
    l.zone_id,
    l.requested_at,
    a.* exclude (place)
from temp.asset as a
inner join temp.listing as l on l.place = a.place
anti join core.asset_snapshot as s
    on s.kind = l.kind
    and case when s.zone_id is null then 'group' else 'zone' end = l.owner_kind
    and coalesce(s.zone_id, s.group_id) = l.owner_id
    and s.asset_id = a.asset_id
