-- fact_play, fact_play_day, fact_play_item_day, fact_play_zone_day and fact_play_zone_hour contain the same plays per
-- kind and day.
-- Severity: error

with added_up as (
    select 'day' as table_name, kind, date, plays, play_seconds, complete_plays, measured_plays, short_plays
    from mart.fact_play_day
    union all
    select 'zone_day' as table_name, kind, date, plays, play_seconds, complete_plays, measured_plays, short_plays
    from mart.fact_play_zone_day
    union all
    select 'item_day' as table_name, kind, date, plays, play_seconds, complete_plays, measured_plays, short_plays
    from mart.fact_play_item_day
    union all
    select 'zone_hour' as table_name, kind, date, plays, play_seconds, complete_plays, measured_plays, short_plays
    from mart.fact_play_zone_hour
),

summed as (
    select
        'play' as table_name,
        p.kind,
        p.date,
        count(*) as plays,
        cast(sum(p.duration_secs) as bigint) as play_seconds,
        count(case when p.is_complete then 1 end) as complete_plays,
        count(p.is_complete) as measured_plays,
        count(case when p.is_short then 1 end) as short_plays
    from mart.fact_play as p
    inner join core.checked_day as d on d.date = p.date
    group by p.kind, p.date
    union all
    select
        a.table_name,
        a.kind,
        a.date,
        cast(sum(a.plays) as bigint) as plays,
        cast(sum(a.play_seconds) as bigint) as play_seconds,
        cast(sum(a.complete_plays) as bigint) as complete_plays,
        cast(sum(a.measured_plays) as bigint) as measured_plays,
        cast(sum(a.short_plays) as bigint) as short_plays
    from added_up as a
    inner join core.checked_day as d on d.date = a.date
    group by a.table_name, a.kind, a.date
),

-- Counts how many of the five tables have the same sums.
compared as (
    select
        table_name,
        kind,
        date,
        plays,
        play_seconds,
        count(*) over (
            partition by kind, date, plays, play_seconds, complete_plays, measured_plays, short_plays
        ) as agreeing_tables
    from summed
)

select
    kind,
    date,
    max(case when table_name = 'play' then plays end) as plays,
    max(case when table_name = 'day' then plays end) as plays_by_day,
    max(case when table_name = 'zone_day' then plays end) as plays_by_zone_day,
    max(case when table_name = 'item_day' then plays end) as plays_by_item_day,
    max(case when table_name = 'zone_hour' then plays end) as plays_by_zone_hour,
    max(case when table_name = 'play' then play_seconds end) as play_seconds,
    max(case when table_name = 'day' then play_seconds end) as play_seconds_by_day,
    max(case when table_name = 'zone_day' then play_seconds end) as play_seconds_by_zone_day,
    max(case when table_name = 'item_day' then play_seconds end) as play_seconds_by_item_day,
    max(case when table_name = 'zone_hour' then play_seconds end) as play_seconds_by_zone_hour
from compared
group by kind, date
having min(agreeing_tables) < 5
