-- Zone days that have a kind according to reference/zone_kinds.csv but did not have it in the last build, or the
-- reverse.
--
-- Reads: core.built_zone_kind, core.zone_kind, mart.bridge_zone_listing, staging.zone_day_state
with changed as (
    select distinct coalesce(n.zone_id, b.zone_id) as zone_id
    from core.zone_kind as n
    full join core.built_zone_kind as b
        on b.zone_id = n.zone_id
        and b.kind = n.kind
        and b.valid_from = n.valid_from
        and b.valid_to = n.valid_to
    where n.zone_id is null or b.zone_id is null
),

given_now as (
    select distinct zone_id
    from core.zone_kind
),

given_before as (
    select distinct zone_id
    from core.built_zone_kind
),

listed as (
    select distinct
        kind,
        zone_id
    from mart.bridge_zone_listing
)

select distinct
    l.kind,
    d.date
from changed as c
inner join listed as l on l.zone_id = c.zone_id
inner join staging.zone_day_state as d on d.zone_id = c.zone_id
left join given_now as gn on gn.zone_id = c.zone_id
left join given_before as gb on gb.zone_id = c.zone_id
left join core.zone_kind as n
    on n.zone_id = c.zone_id and n.kind = l.kind and d.date between n.valid_from and n.valid_to
left join core.built_zone_kind as b
    on b.zone_id = c.zone_id and b.kind = l.kind and d.date between b.valid_from and b.valid_to
where (gn.zone_id is null or n.zone_id is not null) <> (gb.zone_id is null or b.zone_id is not null)
