-- One row per zone and local day, up to the newest response to any machine. If only one machine knows a zone, its days
-- are used, and continued with the same clock. If several machines know the zone, or its clock changed, its days are
-- recomputed the same way as in a load, starting with the zone's first play or listing. They begin at midnight in the
-- zone's named time zone. If it has none, the UTC offset of the last play on that date applies, carried forward to
-- dates without plays (dates before the first play use the first play's offset). If the zone has no plays either, the
-- service's time zone applies.
--
-- Reads: core.calendar, core.device_snapshot, core.load, core.play, core.service_time_zone, core.snapshot,
-- core.zone_time_zone, lake.service_time_zone, lake.zone_day, lake.zone_time_zone

with horizon as (
    select max(requested_at) as horizon_at
    from (
        select max(requested_at) as requested_at
        from core.load
        union all
        select max(requested_at) as requested_at
        from core.snapshot
    ) as request
),

service as (
    select coalesce(max(time_zone), 'UTC') as time_zone
    from core.service_time_zone
),

known as (
    select distinct
        machine,
        zone_id
    from lake.zone_day
),

judged as (
    select
        k.zone_id,
        count(*) as machines,
        bool_or(
            o.time_zone is distinct from t.time_zone
            or (t.time_zone is null and coalesce(m.time_zone, 'UTC') <> s.time_zone)
        ) as is_other_clock
    from known as k
    cross join service as s
    left join lake.zone_time_zone as o on o.machine = k.machine and o.zone_id = k.zone_id
    left join core.zone_time_zone as t on t.zone_id = k.zone_id
    left join lake.service_time_zone as m on m.machine = k.machine
    group by k.zone_id
),

zone as (
    select
        zone_id,
        machines > 1 or is_other_clock as is_rebuilt
    from judged
),

kept_day as (
    select
        d.zone_id,
        d.date,
        d.start_at,
        d.end_at
    from lake.zone_day as d
    inner join zone as z on z.zone_id = d.zone_id
    where not z.is_rebuilt
),

numbered_day as (
    select
        kept_day.*,
        row_number() over (partition by zone_id order by date desc) as place
    from kept_day
),

last_day as (
    select
        d.zone_id,
        d.date,
        date_diff('second', d.start_at, cast(d.date as timestamp(6))) as clock_secs
    from numbered_day as d
    cross join horizon as h
    where d.place = 1 and d.end_at <= h.horizon_at
),

-- Zones whose clock may be derived from plays.
played_zone as (
    select zone_id
    from zone
    where is_rebuilt
    union
    select zone_id
    from last_day
),

played as (
    select
        p.zone_id,
        p.date,
        p.utc_offset_minutes,
        max(p.played_at) as last_at
    from core.play as p
    inner join played_zone as z on z.zone_id = p.zone_id
    where p.duration_secs > 0
    group by p.zone_id, p.date, p.utc_offset_minutes
),

ranked_offset as (
    select
        played.*,
        row_number() over (partition by zone_id, date order by last_at desc, utc_offset_minutes desc) as newest
    from played
),

day_offset as (
    select
        zone_id,
        date,
        utc_offset_minutes,
        coalesce(lead(date) over (partition by zone_id order by date), date '9999-12-31') as next_date,
        row_number() over (partition by zone_id order by date) as place
    from ranked_offset
    where newest = 1
),

play_span as (
    select
        zone_id,
        min(date) as first_date,
        max(date) as last_date,
        max(case when place = 1 then utc_offset_minutes end) as first_offset,
        max(case when next_date = date '9999-12-31' then utc_offset_minutes end) as last_offset
    from day_offset
    group by zone_id
),

listed as (
    select
        zone_id,
        min(requested_at) as first_at
    from (
        select zone_id, requested_at from core.device_snapshot
        union all
        select zone_id, requested_at from core.snapshot
    ) as listing
    group by zone_id
),

-- Clocks for the days that are recomputed.
zone_clock as (
    select
        z.zone_id,
        p.first_date,
        p.last_date,
        p.first_offset,
        coalesce(t.time_zone, case when p.zone_id is null then s.time_zone end) as time_zone,
        cast(l.first_at + p.first_offset * interval '1' minute as timestamp(6)) as first_local_by_offset,
        cast(
            at_timezone(
                with_timezone(l.first_at, 'UTC'),
                coalesce(t.time_zone, case when p.zone_id is null then s.time_zone end)
            ) as timestamp(6)
        ) as first_local,
        cast(h.horizon_at + p.last_offset * interval '1' minute as timestamp(6)) as horizon_local_by_offset,
        cast(
            at_timezone(
                with_timezone(h.horizon_at, 'UTC'),
                coalesce(t.time_zone, case when p.zone_id is null then s.time_zone end)
            ) as timestamp(6)
        ) as horizon_local
    from zone as z
    cross join service as s
    cross join horizon as h
    left join play_span as p on p.zone_id = z.zone_id
    left join listed as l on l.zone_id = z.zone_id
    left join core.zone_time_zone as t on t.zone_id = z.zone_id
    where z.is_rebuilt and (p.zone_id is not null or l.zone_id is not null)
),

dated as (
    select
        zone_id,
        time_zone,
        first_offset,
        first_date,
        last_date,
        cast(coalesce(first_local, first_local_by_offset) as date) as listed_date,
        cast(coalesce(horizon_local, horizon_local_by_offset) as date) as horizon_date
    from zone_clock
),

span as (
    select
        zone_id,
        time_zone,
        first_offset,
        case when first_date is null or listed_date < first_date then listed_date else first_date end as first_date,
        case when last_date is null or horizon_date > last_date then horizon_date else last_date end as last_date
    from dated
),

-- Narrows the calendar, which covers a hundred years, before it is joined with each zone.
rebuilt_date as (
    select c.date
    from core.calendar as c
    inner join (
        select
            min(first_date) as first_date,
            cast(max(last_date) + interval '1' day as date) as last_date
        from span
    ) as s on c.date between s.first_date and s.last_date
),

-- Includes one more date than there are days, because its start is the end of the last day.
rebuilt_start as (
    select
        s.zone_id,
        c.date,
        s.time_zone,
        case
            when s.time_zone is null then cast(
                cast(c.date as timestamp(6)) - coalesce(o.utc_offset_minutes, s.first_offset) * interval '1' minute
                as timestamp(6)
            )
            else cast(
                at_timezone(with_timezone(cast(c.date as timestamp(6)), s.time_zone), 'UTC') as timestamp(6)
            )
        end as start_at
    from span as s
    inner join rebuilt_date as c
        on c.date between s.first_date and cast(s.last_date + interval '1' day as date)
    left join day_offset as o
        on o.zone_id = s.zone_id and c.date >= o.date and c.date < o.next_date
),

-- Days that began after a zone's last known day.
continued_clock as (
    select
        d.zone_id,
        d.date as last_date,
        d.clock_secs,
        h.horizon_at,
        coalesce(t.time_zone, case when p.zone_id is null then s.time_zone end) as time_zone
    from last_day as d
    cross join service as s
    cross join horizon as h
    left join play_span as p on p.zone_id = d.zone_id
    left join core.zone_time_zone as t on t.zone_id = d.zone_id
),

continued_span as (
    select
        zone_id,
        last_date,
        clock_secs,
        time_zone,
        cast(
            coalesce(
                cast(at_timezone(with_timezone(horizon_at, 'UTC'), time_zone) as timestamp(6)),
                cast(horizon_at + clock_secs * interval '1' second as timestamp(6))
            ) as date
        ) as horizon_date
    from continued_clock
),

continued_date as (
    select c.date
    from core.calendar as c
    inner join (
        select
            min(last_date) as last_date,
            cast(max(horizon_date) + interval '1' day as date) as horizon_date
        from continued_span
    ) as s on c.date > s.last_date and c.date <= s.horizon_date
),

continued_start as (
    select
        s.zone_id,
        c.date,
        s.time_zone,
        case
            when s.time_zone is null
                then cast(cast(c.date as timestamp(6)) - s.clock_secs * interval '1' second as timestamp(6))
            else cast(
                at_timezone(with_timezone(cast(c.date as timestamp(6)), s.time_zone), 'UTC') as timestamp(6)
            )
        end as start_at
    from continued_span as s
    inner join continued_date as c
        on c.date > s.last_date and c.date <= cast(s.horizon_date + interval '1' day as date)
),

midnight as (
    select
        zone_id,
        date,
        start_at,
        cast(
            at_timezone(with_timezone(cast(start_at - interval '1' second as timestamp(6)), 'UTC'), time_zone)
            as timestamp(6)
        ) as local_before
    from (
        select zone_id, date, time_zone, start_at from rebuilt_start
        union all
        select zone_id, date, time_zone, start_at from continued_start
    ) as started
),

-- If a clock goes back to midnight, midnight occurs twice, and an engine may use the second occurrence. The day begins
-- at the first.
first_midnight as (
    select
        zone_id,
        date,
        case
            when local_before >= cast(date as timestamp(6)) then cast(
                start_at
                - (date_diff('second', cast(date as timestamp(6)), local_before) + 1) * interval '1' second
                as timestamp(6)
            )
            else start_at
        end as start_at
    from midnight
),

-- If a clock jumps forward by more than a day, the dates in between are skipped.
begun as (
    select
        zone_id,
        date,
        min(start_at) over (
            partition by zone_id order by date rows between current row and unbounded following
        ) as start_at
    from first_midnight
),

ended as (
    select
        zone_id,
        date,
        start_at,
        lead(start_at) over (partition by zone_id order by date) as end_at
    from begun
)

select
    zone_id,
    date,
    start_at,
    end_at
from kept_day
union all
select
    zone_id,
    date,
    start_at,
    end_at
from ended
where end_at is not null
