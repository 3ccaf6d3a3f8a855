-- One row per zone and local day on which the zone's clock changes: how to read skipped and repeated local times. A
-- repeated time means its first occurrence. A skipped time moves forward by the size of the change: 02:30 becomes 03:30
-- (RFC 5545, section 3.3.5). To convert a time of day to the clock at the start of the day, subtract change_secs if the
-- time is resumes_secs or later.
--
-- Grain: zone_id, date
-- Reads: core.service_time_zone, core.zone_day, core.zone_time_zone, staging.zone_play_day
-- Built: whole
-- Columns:
--   zone_id              = dim_zone.zone_id: The zone.
--   date                 = dim_date.date: Local day.
--   from_secs            Changes (seconds): Time of the change in seconds since midnight, by the clock before it.
--   resumes_secs         Resumes (seconds): First time of day that only the clock after the change shows.
--   change_secs          Forward (seconds): Size of the change; negative if the clock goes back.
--   offset_before_secs   Ahead of UTC before (seconds): Offset from UTC before the change.
--   is_known             Known (yes or no): Whether the zone's time zone is known. Note: If only the offsets of plays
--                        are known, each day has one offset; a clock that goes forward between two days is assumed to
--                        change at 02:00 of the second.

with digit as (
    select n
    from (values (0), (1), (2), (3), (4), (5), (6), (7), (8), (9)) as d (n)
),

-- The quarter hours of a day, because clocks change only at full quarter hours.
quarter as (
    select tens.n * 10 + ones.n as n
    from digit as tens
    cross join digit as ones
    where tens.n * 10 + ones.n < 96
),

measured as (
    select
        zone_id,
        date,
        start_at,
        end_at,
        date_diff('second', start_at, end_at) as day_secs,
        lag(date_diff('second', start_at, end_at)) over (partition by zone_id order by date) as day_secs_before
    from core.zone_day
),

changing as (
    select
        m.*,
        date_diff('second', m.end_at, cast(m.date + interval '1' day as timestamp(6))) as offset_after_secs,
        coalesce(t.time_zone, case when p.zone_id is null then s.time_zone end) as time_zone
    from measured as m
    left join core.zone_time_zone as t on t.zone_id = m.zone_id
    left join (select distinct zone_id from staging.zone_play_day) as p on p.zone_id = m.zone_id
    cross join (select coalesce(max(time_zone), 'UTC') as time_zone from core.service_time_zone) as s
    where m.start_at < m.end_at and (m.day_secs <> 86400 or m.day_secs_before <> 86400)
),

clock as (
    select
        c.zone_id,
        c.date,
        c.day_secs,
        c.offset_after_secs,
        q.n * 900 as secs,
        date_diff(
            'second',
            cast(c.date as timestamp(6)),
            cast(
                at_timezone(
                    with_timezone(cast(c.start_at + q.n * 900 * interval '1' second as timestamp(6)), 'UTC'), c.time_zone
                ) as timestamp(6)
            )
        ) as shown_secs
    from changing as c
    cross join quarter as q
    where c.time_zone is not null and c.day_secs <> 86400
),

change as (
    select
        zone_id,
        date,
        coalesce(min(case when shown_secs <> secs then secs end), 86400) as from_secs,
        86400 - day_secs as change_secs,
        offset_after_secs,
        true as is_known
    from clock
    group by zone_id, date, day_secs, offset_after_secs
    union all
    select
        zone_id,
        date,
        7200 as from_secs,
        86400 - day_secs_before as change_secs,
        offset_after_secs,
        false as is_known
    from changing
    where time_zone is null and day_secs = 86400 and day_secs_before between 79200 and 86399
)

select
    zone_id,
    date,
    cast(from_secs as bigint) as from_secs,
    cast(case when change_secs > 0 then from_secs + change_secs else from_secs end as bigint) as resumes_secs,
    cast(change_secs as bigint) as change_secs,
    cast(offset_after_secs - change_secs as bigint) as offset_before_secs,
    is_known
from change
