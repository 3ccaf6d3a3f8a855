-- Listings for the token's groups and zones. Excludes numbers of records, which include other campaigns.

select
    t.snapshot_id,
    t.source,
    t.kind,
    t.group_id,
    t.zone_id,
    t.requested_at,
    t.loaded_at,
    cast(null as bigint) as records,
    cast(null as bigint) as rejected
from whole.fact_snapshot as t
where
    t.source in ('assets', 'campaigns', 'devices')
    and (
        t.group_id in (select g.group_id from share.zone_group as g)
        or t.zone_id in (select z.zone_id from share.zone as z)
    )
