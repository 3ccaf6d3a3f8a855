-- fact_play and what is added up from it (fact_play_day, fact_play_item_day, fact_play_zone_day, fact_play_zone_hour)
-- hold the same plays, per kind and day.
-- Severity: error

with single as (
    select
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
),

daily as (
    select
        f.kind,
        f.date,
        cast(sum(f.plays) as bigint) as plays,
        cast(sum(f.play_seconds) as bigint) as play_seconds,
        cast(sum(f.complete_plays) as bigint) as complete_plays,
        cast(sum(f.measured_plays) as bigint) as measured_plays,
        cast(sum(f.short_plays) as bigint) as short_plays
    from mart.fact_play_day as f
    inner join core.checked_day as d on d.date = f.date
    group by f.kind, f.date
),

zone_daily as (
    select
        f.kind,
        f.date,
        cast(sum(f.plays) as bigint) as plays,
        cast(sum(f.play_seconds) as bigint) as play_seconds,
        cast(sum(f.complete_plays) as bigint) as complete_plays,
        cast(sum(f.measured_plays) as bigint) as measured_plays,
        cast(sum(f.short_plays) as bigint) as short_plays
    from mart.fact_play_zone_day as f
    inner join core.checked_day as d on d.date = f.date
    group by f.kind, f.date
),

item_daily as (
    select
        f.kind,
        f.date,
        cast(sum(f.plays) as bigint) as plays,
        cast(sum(f.play_seconds) as bigint) as play_seconds,
        cast(sum(f.complete_plays) as bigint) as complete_plays,
        cast(sum(f.measured_plays) as bigint) as measured_plays,
        cast(sum(f.short_plays) as bigint) as short_plays
    from mart.fact_play_item_day as f
    inner join core.checked_day as d on d.date = f.date
    group by f.kind, f.date
),

zone_hourly as (
    select
        f.kind,
        f.date,
        cast(sum(f.plays) as bigint) as plays,
        cast(sum(f.play_seconds) as bigint) as play_seconds,
        cast(sum(f.complete_plays) as bigint) as complete_plays,
        cast(sum(f.measured_plays) as bigint) as measured_plays,
        cast(sum(f.short_plays) as bigint) as short_plays
    from mart.fact_play_zone_hour as f
    inner join core.checked_day as d on d.date = f.date
    group by f.kind, f.date
)

select
    coalesce(s.kind, f.kind, z.kind, i.kind, h.kind) as kind,
    coalesce(s.date, f.date, z.date, i.date, h.date) as date,
    s.plays,
    f.plays as plays_by_day,
    z.plays as plays_by_zone_day,
    i.plays as plays_by_item_day,
    h.plays as plays_by_zone_hour,
    s.play_seconds,
    f.play_seconds as play_seconds_by_day,
    z.play_seconds as play_seconds_by_zone_day,
    i.play_seconds as play_seconds_by_item_day,
    h.play_seconds as play_seconds_by_zone_hour
from single as s
full join daily as f on f.kind = s.kind and f.date = s.date
full join zone_daily as z on z.kind = coalesce(s.kind, f.kind) and z.date = coalesce(s.date, f.date)
full join item_daily as i
    on i.kind = coalesce(s.kind, f.kind, z.kind) and i.date = coalesce(s.date, f.date, z.date)
full join zone_hourly as h
    on h.kind = coalesce(s.kind, f.kind, z.kind, i.kind) and h.date = coalesce(s.date, f.date, z.date, i.date)
where
    s.plays is distinct from f.plays
    or s.play_seconds is distinct from f.play_seconds
    or s.complete_plays is distinct from f.complete_plays
    or s.measured_plays is distinct from f.measured_plays
    or s.short_plays is distinct from f.short_plays
    or z.plays is distinct from f.plays
    or z.play_seconds is distinct from f.play_seconds
    or z.complete_plays is distinct from f.complete_plays
    or z.measured_plays is distinct from f.measured_plays
    or z.short_plays is distinct from f.short_plays
    or i.plays is distinct from f.plays
    or i.play_seconds is distinct from f.play_seconds
    or i.complete_plays is distinct from f.complete_plays
    or i.measured_plays is distinct from f.measured_plays
    or i.short_plays is distinct from f.short_plays
    or h.plays is distinct from f.plays
    or h.play_seconds is distinct from f.play_seconds
    or h.complete_plays is distinct from f.complete_plays
    or h.measured_plays is distinct from f.measured_plays
    or h.short_plays is distinct from f.short_plays
