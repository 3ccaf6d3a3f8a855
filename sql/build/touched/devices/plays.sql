-- Days with changed plays and the days around them, from the first device snapshot on. The days around them are
-- included because a play may last a day, and because plays up to ten minutes before or after a day may decide whether
-- a device was silent on it. Plays longer than a day touch every day that they span. If a changed play is later than
-- the history known at the last build, all days in between are included, because it shows that nothing else played on
-- them.
--
-- Reads: core.built_freshness, core.calendar, core.dirty_day, core.play, staging.device_run
with beginning as (
    select cast(cast(min(from_at) as date) - interval '2' day as date) as date
    from staging.device_run
),

known as (
    select coalesce(min(data_as_of), timestamp '1970-01-01 00:00:00') as until_at
    from core.built_freshness
),

later_day as (
    select
        cast(cast(k.until_at as date) - interval '1' day as date) as first_date,
        max(d.date) as last_date
    from core.dirty_day as d
    cross join known as k
    group by k.until_at
),

long_play as (
    select
        d.date as first_date,
        cast(
            cast(max(cast(p.played_at + p.duration_secs * interval '1' second as timestamp(6))) as date)
            + interval '2' day as date
        ) as last_date
    from core.dirty_day as d
    inner join core.play as p on p.kind = d.kind and p.date = d.date
    where p.duration_secs > 86400
    group by d.date
),

day as (
    select
        cast(d.date + k.days * interval '1' day as date) as date
    from core.dirty_day as d
    cross join (values (-1), (0), (1), (2)) as k (days)
    union
    select c.date
    from core.calendar as c
    inner join later_day as t on c.date between t.first_date and t.last_date
    union
    select c.date
    from core.calendar as c
    inner join long_play as l on c.date between l.first_date and l.last_date
)

select distinct
    '' as kind,
    d.date
from day as d
inner join beginning as b on d.date > b.date
