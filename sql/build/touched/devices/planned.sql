-- Days on which planned maintenance changed since the last build.
--
-- Reads: core.built_planned_span, core.zone_day, staging.planned_span
with differing as (
    select
        coalesce(n.from_at, b.from_at) as from_at,
        coalesce(n.until_at, b.until_at) as until_at
    from staging.planned_span as n
    full join core.built_planned_span as b on b.from_at = n.from_at and b.until_at = n.until_at
    where n.from_at is null or b.from_at is null
)

select distinct
    '' as kind,
    z.date
from differing as d
inner join (select distinct date, start_at, end_at from core.zone_day) as z
    on z.start_at < d.until_at and z.end_at > d.from_at
