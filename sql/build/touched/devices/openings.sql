-- Days on which a zone with a device is open at other times than when days were built last.
-- Reads core.built_zone_opening, staging.zone_opening.
with differing as (
    select
        coalesce(n.date, b.date) as date
    from staging.zone_opening as n
    full join core.built_zone_opening as b
        on b.zone_id = n.zone_id and b.date = n.date and b.opens_at = n.opens_at and b.closes_at = n.closes_at
    where n.date is null or b.date is null
)

select distinct
    '' as kind,
    cast(d.date + k.days * interval '1' day as date) as date
from differing as d
cross join (values (0), (1)) as k (days)
