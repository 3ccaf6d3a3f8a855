-- One row per zone and local date: opening hours learnt from plays, from the median first play to the median last end
-- on the same weekday in the four weeks before and after. Without plays on that weekday, the zone is closed. A day
-- lasts from 05:00 to 05:00.
--
-- Grain: zone_id, date
-- Reads: staging.zone_play_day
-- Built: day, reach 29, any kind
-- Columns:
--   zone_id       The zone.
--   date          Local date on which it opens.
--   opens_secs    Seconds since midnight of that date.
--   closes_secs   Seconds since the same midnight; over 86,400 is the next day.

with part as (
    select
        zone_id,
        date,
        first_late_secs as first_secs,
        last_late_secs as last_secs
    from staging.zone_play_day
    where first_late_secs is not null
    union all
    select
        zone_id,
        cast(date - interval '1' day as date) as date,
        first_early_secs + 86400 as first_secs,
        last_early_secs + 86400 as last_secs
    from staging.zone_play_day
    where first_early_secs is not null
),

trading_day as (
    select
        zone_id,
        date,
        min(first_secs) as opens_secs,
        case when max(last_secs) > 104400 then 104400 else max(last_secs) end as closes_secs
    from part
    group by zone_id, date
),

-- Each day with plays is used for the same weekday in the four weeks before and after.
around as (
    select
        t.zone_id,
        cast(t.date + k.weeks * interval '7' day as date) as date,
        t.opens_secs,
        t.closes_secs
    from trading_day as t
    cross join (values (-4), (-3), (-2), (-1), (0), (1), (2), (3), (4)) as k (weeks)
),

ranked as (
    select
        zone_id,
        date,
        opens_secs,
        closes_secs,
        row_number() over (partition by zone_id, date order by opens_secs) as opens_rank,
        row_number() over (partition by zone_id, date order by closes_secs) as closes_rank,
        count(*) over (partition by zone_id, date) as days
    from around
)

select
    zone_id,
    date,
    max(case when opens_rank * 2 in (days, days + 1) then opens_secs end) as opens_secs,
    max(case when closes_rank * 2 in (days, days + 1) then closes_secs end) as closes_secs
from ranked
group by zone_id, date
