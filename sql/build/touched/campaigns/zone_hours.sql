-- Zone days whose opening hours changed since the last build, in zones with rules that specify times of day.
--
-- Reads: core.built_zone_hours, core.built_zone_listing, mart.bridge_zone_listing, mart.fact_zone_hours
with changed as (
    select
        coalesce(n.zone_id, b.zone_id) as zone_id,
        coalesce(n.date, b.date) as date
    from mart.fact_zone_hours as n
    full join core.built_zone_hours as b
        on b.zone_id = n.zone_id
        and b.date = n.date
        and b.opens_secs = n.opens_secs
        and b.closes_secs = n.closes_secs
    where n.date is null or b.date is null
)

select distinct
    l.kind,
    c.date
from changed as c
inner join (
    select kind, zone_id from mart.bridge_zone_listing
    union
    select kind, zone_id from core.built_zone_listing
) as l on l.zone_id = c.zone_id
