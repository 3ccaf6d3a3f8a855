-- One row per zone and local day covered by a campaigns listing: whether anything played, whether the zone was open,
-- and the state of its devices.
--
-- Grain: zone_id, date
-- Reads: core.calendar, core.opening_hours, core.zone_day, mart.bridge_zone_listing, mart.fact_device_day, staging.zone_play_day
-- Built: whole
-- Columns:
--   zone_id             The zone.
--   date                Local day.
--   start_at            Start of the day, in UTC.
--   end_at              End of the day, in UTC.
--   has_plays           Whether anything of any kind played.
--   is_closed           Nothing played, and the zone has no opening hours on the day. If no hours are given, the zone
--                       is closed on weekdays on which nothing played in the four weeks before and after, provided
--                       that it played on other days.
--   is_closed_by_hours  Whether it is closed, and opening hours are given.
--   is_up               Whether a device is known to have been up at some time of the day.
--   is_down             Whether a device is known to have been down at some time of the day.

with zone as (
    select distinct zone_id
    from mart.bridge_zone_listing
),

device as (
    select
        zone_id,
        date,
        max(up_seconds) as up_seconds,
        max(down_seconds) as down_seconds
    from mart.fact_device_day
    group by zone_id, date
),

-- Hours that extend past midnight also apply to the next day.
open_weekday as (
    select
        zone_id,
        day_of_week
    from core.opening_hours
    union
    select
        zone_id,
        day_of_week % 7 + 1 as day_of_week
    from core.opening_hours
    where closes_secs > 86400
),

given as (
    select distinct zone_id
    from core.opening_hours
),

day as (
    select
        d.zone_id,
        d.date,
        d.start_at,
        d.end_at,
        c.day_of_week,
        case when p.zone_id is null then 0 else 1 end as played_days
    from core.zone_day as d
    inner join zone as z on z.zone_id = d.zone_id
    inner join core.calendar as c on c.date = d.date
    left join staging.zone_play_day as p on p.zone_id = d.zone_id and p.date = d.date
),

learnt as (
    select
        day.*,
        max(played_days) over (
            partition by zone_id, day_of_week
            order by date rows between 4 preceding and 4 following
        ) as played_on_weekday,
        max(played_days) over (
            partition by zone_id
            order by date rows between 28 preceding and 28 following
        ) as played_around
    from day
)

select
    l.zone_id,
    l.date,
    l.start_at,
    l.end_at,
    l.played_days = 1 as has_plays,
    case
        when l.played_days = 1 then false
        when g.zone_id is not null then o.zone_id is null
        else l.played_on_weekday = 0 and l.played_around = 1
    end as is_closed,
    l.played_days = 0 and g.zone_id is not null and o.zone_id is null as is_closed_by_hours,
    coalesce(d.up_seconds > 0, false) as is_up,
    coalesce(d.down_seconds > 0, false) as is_down
from learnt as l
left join given as g on g.zone_id = l.zone_id
left join open_weekday as o on o.zone_id = l.zone_id and o.day_of_week = l.day_of_week
left join device as d on d.zone_id = l.zone_id and d.date = l.date
