-- Days with changed plays and the days around them, because a play may last a day, and because plays up to ten minutes
-- before or after a day may decide whether its zone was quiet. Plays longer than a day touch every day that they span.
-- If a changed play is later than the history known at the last build, all days in between are included, because it
-- shows that nothing else played on them.
--
-- Reads: core.built_freshness, core.dirty_day, core.play, core.zone_day
with zone_date as (
    select distinct date
    from core.zone_day
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
    select z.date
    from zone_date as z
    inner join later_day as t on z.date between t.first_date and t.last_date
    union
    select z.date
    from zone_date as z
    inner join long_play as l on z.date between l.first_date and l.last_date
)

select
    '' as kind,
    d.date
from day as d
inner join zone_date as z on z.date = d.date
