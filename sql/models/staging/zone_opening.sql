-- When zones with devices are open: by reference/opening_hours.csv, or, where that says nothing of a zone, as learnt
-- from when it plays.
--
-- Grain: zone_id, opens_at
-- Reads: core.calendar, core.opening_hours, core.service_time_zone, core.zone_day, core.zone_time_zone, staging.device_snapshot, staging.zone_learnt_opening, staging.zone_play_day
-- Built: whole
-- Columns:
--   zone_id         The zone.
--   date            Local date on which it opens.
--   opens_at        When it opens, in UTC; where an earlier opening runs into it, when that one closes.
--   closes_at       When it closes, exclusive; may be on the next date.
--   open_from_at    When the zone opened, over openings that adjoin: from then on it is open without a break.
--   open_until_at   Until when it is.

with -- One listing is enough: silence now is told from it alone.
device_zone as (
    select distinct zone_id
    from staging.device_snapshot
),

given_zone as (
    select distinct zone_id
    from core.opening_hours
),

-- What opens on the day before a zone's first one may run into that.
opening_day as (
    select
        zone_id,
        date,
        start_at,
        end_at,
        0 as closes_after_secs
    from core.zone_day
    union all
    select
        zone_id,
        cast(min(date) - interval '1' day as date) as date,
        cast(min(start_at) - interval '24' hour as timestamp(6)) as start_at,
        min(start_at) as end_at,
        86400 as closes_after_secs
    from core.zone_day
    group by zone_id
),

hours as (
    select
        z.zone_id,
        z.date,
        z.start_at,
        z.end_at,
        o.opens_secs,
        o.closes_secs
    from opening_day as z
    inner join core.calendar as c on c.date = z.date
    inner join core.opening_hours as o
        on o.zone_id = z.zone_id
        and o.day_of_week = c.day_of_week
        and o.closes_secs > z.closes_after_secs
    union all
    select
        z.zone_id,
        z.date,
        z.start_at,
        z.end_at,
        l.opens_secs,
        l.closes_secs
    from opening_day as z
    inner join staging.zone_learnt_opening as l
        on l.zone_id = z.zone_id
        and l.date = z.date
        and l.closes_secs > z.closes_after_secs
    left join given_zone as g on g.zone_id = z.zone_id
    where g.zone_id is null
),

-- Times of day at which zones open or close.
time_of_day as (
    select
        zone_id,
        date,
        start_at,
        end_at,
        opens_secs as secs
    from hours
    union
    select
        zone_id,
        date,
        start_at,
        end_at,
        closes_secs as secs
    from hours
),

timed as (
    select
        h.zone_id,
        h.date,
        h.start_at,
        h.end_at,
        coalesce(n.end_at, cast(h.end_at + interval '24' hour as timestamp(6))) as next_end_at,
        h.secs,
        coalesce(t.time_zone, case when p.zone_id is null then s.time_zone end) as time_zone
    from time_of_day as h
    inner join device_zone as d on d.zone_id = h.zone_id
    left join core.zone_day as n on n.zone_id = h.zone_id and n.date = cast(h.date + interval '1' day as date)
    left join core.zone_time_zone as t on t.zone_id = h.zone_id
    left join (select distinct zone_id from staging.zone_play_day) as p on p.zone_id = h.zone_id
    cross join (select coalesce(max(time_zone), 'UTC') as time_zone from core.service_time_zone) as s
),

-- When it is such a time: counted from where the day begins, and back from where it ends. What is after midnight is of
-- the next day's clock.
counted as (
    select
        zone_id,
        date,
        secs,
        time_zone,
        cast(cast(date as timestamp(6)) + secs * interval '1' second as timestamp(6)) as local_time,
        cast(
            case when secs < 86400 then start_at else end_at end + mod(secs, 86400) * interval '1' second
            as timestamp(6)
        ) as from_begin_at,
        cast(
            case when secs < 86400 then end_at else next_end_at end + (mod(secs, 86400) - 86400) * interval '1' second
            as timestamp(6)
        ) as from_end_at
    from timed
),

-- Where plays tell a zone's clock, each day has one offset. Where its clock is a time zone, the two differ on a day on
-- which it changes: the first counts that it shows that time at. It shows none of what is skipped.
shown as (
    select
        zone_id,
        date,
        secs,
        case
            when
                local_time <> cast(at_timezone(with_timezone(from_begin_at, 'UTC'), time_zone) as timestamp(6))
                and local_time = cast(at_timezone(with_timezone(from_end_at, 'UTC'), time_zone) as timestamp(6))
                then from_end_at
            else from_begin_at
        end as shown_at
    from counted
),

placed as (
    select
        h.zone_id,
        h.date,
        o.shown_at as opens_at,
        c.shown_at as closes_at
    from hours as h
    inner join shown as o on o.zone_id = h.zone_id and o.date = h.date and o.secs = h.opens_secs
    inner join shown as c on c.zone_id = h.zone_id and c.date = h.date and c.secs = h.closes_secs
),

reached as (
    select
        placed.*,
        max(closes_at) over (
            partition by zone_id order by opens_at, closes_at rows between unbounded preceding and current row
        ) as reached_at,
        max(closes_at) over (
            partition by zone_id order by opens_at, closes_at rows between unbounded preceding and 1 preceding
        ) as reached_before_at,
        lead(opens_at) over (partition by zone_id order by opens_at, closes_at) as next_opens_at
    from placed
    -- Hours that a clock change skips are none.
    where opens_at < closes_at
),

opening as (
    select
        zone_id,
        date,
        case when reached_before_at > opens_at then reached_before_at else opens_at end as opens_at,
        closes_at,
        max(case when reached_before_at >= opens_at then null else opens_at end) over (
            partition by zone_id order by opens_at, closes_at rows between unbounded preceding and current row
        ) as open_from_at,
        min(case when next_opens_at <= reached_at then null else reached_at end) over (
            partition by zone_id order by opens_at, closes_at rows between current row and unbounded following
        ) as open_until_at
    from reached
)

-- Where a clock goes forward by hours, those of one day may run into those of the next: what both hold counts once.
select
    zone_id,
    date,
    opens_at,
    closes_at,
    open_from_at,
    open_until_at
from opening
where opens_at < closes_at
