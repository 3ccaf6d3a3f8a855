-- Days on which plays changed, and those beside them, since snapshots of devices began: a play may last a day, and what
-- plays up to ten minutes before or after a day may decide whether it was silent in it. A play from after the time up
-- to which history was known tells of all days from then on that nothing else played.
--
-- Reads: core.built_freshness, core.calendar, core.dirty_day, staging.device_run
with beginning as (
    select cast(cast(min(from_at) as date) - interval '2' day as date) as date
    from staging.device_run
),

known as (
    select coalesce(min(data_as_of), timestamp '1970-01-01 00:00:00') as until_at
    from core.built_freshness
),

told as (
    select
        cast(cast(k.until_at as date) - interval '1' day as date) as first_date,
        max(d.date) as last_date
    from core.dirty_day as d
    cross join known as k
    group by k.until_at
),

day as (
    select
        cast(d.date + k.days * interval '1' day as date) as date
    from core.dirty_day as d
    cross join (values (-1), (0), (1), (2)) as k (days)
    union
    select c.date
    from core.calendar as c
    inner join told as t on c.date between t.first_date and t.last_date
)

select distinct
    '' as kind,
    d.date
from day as d
inner join beginning as b on d.date > b.date
