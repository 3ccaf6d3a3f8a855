-- fact_play_month contains the same plays per kind and month as fact_play_day.
-- Severity: error

-- Days of months with a checked day. The join by date limits reading to their files.
with month_day as (
    select
        date,
        cast(date_trunc('month', date) as date) as month
    from core.calendar
    where cast(date_trunc('month', date) as date) in (
        select cast(date_trunc('month', date) as date) from core.checked_day
    )
),

added_up as (
    select 'day' as table_name, f.kind, d.month, f.plays, f.play_seconds, f.complete_plays, f.measured_plays, f.short_plays
    from mart.fact_play_day as f
    inner join month_day as d on d.date = f.date
    union all
    select
        'month' as table_name, f.kind, f.month, f.plays, f.play_seconds, f.complete_plays, f.measured_plays, f.short_plays
    from mart.fact_play_month as f
    inner join month_day as d on d.date = f.month
),

summed as (
    select
        table_name,
        kind,
        month,
        cast(sum(plays) as bigint) as plays,
        cast(sum(play_seconds) as bigint) as play_seconds,
        cast(sum(complete_plays) as bigint) as complete_plays,
        cast(sum(measured_plays) as bigint) as measured_plays,
        cast(sum(short_plays) as bigint) as short_plays
    from added_up
    group by table_name, kind, month
),

compared as (
    select
        kind,
        month,
        max(case when table_name = 'day' then plays end) as plays_by_day,
        max(case when table_name = 'month' then plays end) as plays_by_month,
        max(case when table_name = 'day' then play_seconds end) as play_seconds_by_day,
        max(case when table_name = 'month' then play_seconds end) as play_seconds_by_month
    from summed
    group by kind, month
    having
        count(*) < 2
        or min(plays) < max(plays)
        or min(play_seconds) < max(play_seconds)
        or min(complete_plays) < max(complete_plays)
        or min(measured_plays) < max(measured_plays)
        or min(short_plays) < max(short_plays)
)

-- One row per checked day, so that checking in ranges gives the same result.
select
    c.kind,
    d.date,
    c.plays_by_day,
    c.plays_by_month,
    c.play_seconds_by_day,
    c.play_seconds_by_month
from compared as c
inner join month_day as m on m.month = c.month
inner join core.checked_day as d on d.date = m.date
