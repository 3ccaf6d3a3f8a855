-- Days on which the opening hours of a zone changed since the last build. Openings up to ten
-- minutes before or after a day may decide whether it was quiet.
--
-- Reads: core.built_zone_opening, core.zone_day, staging.zone_opening
with differing as (
    select
        coalesce(n.zone_id, b.zone_id) as zone_id,
        coalesce(n.date, b.date) as date,
        coalesce(n.opens_at, b.opens_at) as opens_at,
        coalesce(n.closes_at, b.closes_at) as closes_at
    from staging.zone_opening as n
    full join core.built_zone_opening as b
        on b.zone_id = n.zone_id and b.date = n.date and b.opens_at = n.opens_at and b.closes_at = n.closes_at
    where n.date is null or b.date is null
)

select distinct
    '' as kind,
    z.date
from differing as d
cross join (values (-1), (0), (1), (2)) as k (days)
inner join core.zone_day as z
    on z.zone_id = d.zone_id
    and z.date = cast(d.date + k.days * interval '1' day as date)
    and z.start_at <= cast(d.closes_at + interval '15' minute as timestamp(6))
    and z.end_at >= cast(d.opens_at - interval '15' minute as timestamp(6))
