-- Recomputes all local days of the touched zones, from a zone's first play or listing to the day of the latest request.
-- Days begin at midnight in the zone's named time zone. If it has none, the UTC offset of the last play on that date
-- applies, carried forward to dates without plays (dates before the first play use the first play's offset). If the
-- zone has no plays either, the service's time zone applies. Each day ends where the next begins, so that no second is
-- counted twice.
-- Reads: core.device_snapshot, core.dirty_device_day, core.load, core.play, core.service_time_zone, core.snapshot,
--   core.zone_day, core.zone_time_zone, temp.touched_zone
-- Leaves: $horizon_at, core.dirty_device_day, core.zone_day, temp.former_day
set variable horizon_at = greatest(
    (select max(requested_at) from core.load),
    (select max(requested_at) from core.snapshot)
);

insert into temp.former_day
select z.*
from core.zone_day as z
semi join temp.touched_zone as t on t.zone_id = z.zone_id;

delete from core.zone_day
using temp.touched_zone as t
where zone_day.zone_id = t.zone_id;

insert into core.zone_day
-- Reads the plays of all zones, because joining each play with many touched zones would take longer.
with played as (
    select
        zone_id,
        date,
        utc_offset_minutes,
        max(played_at) as last_at
    from core.play
    where duration_secs > 0
    group by zone_id, date, utc_offset_minutes
),

day_offset as (
    select
        p.zone_id,
        p.date,
        max_by(p.utc_offset_minutes, (p.last_at, p.utc_offset_minutes)) as utc_offset_minutes
    from played as p
    semi join temp.touched_zone as t on t.zone_id = p.zone_id
    group by p.zone_id, p.date
),

play_span as (
    select
        zone_id,
        min(date) as first_date,
        max(date) as last_date,
        min_by(utc_offset_minutes, date) as first_offset,
        max_by(utc_offset_minutes, date) as last_offset
    from day_offset
    group by zone_id
),

first_listed as (
    select
        l.zone_id,
        min(l.requested_at) as first_at
    from (
        select zone_id, requested_at from core.device_snapshot
        union all
        select zone_id, requested_at from core.snapshot
    ) as l
    semi join temp.touched_zone as t on t.zone_id = l.zone_id
    group by l.zone_id
),

zone_clock as (
    select
        z.zone_id,
        p.first_date,
        p.last_date,
        p.first_offset,
        p.last_offset,
        l.first_at,
        clock_of(n.time_zone, p.zone_id) as time_zone
    from temp.touched_zone as z
    left join play_span as p on p.zone_id = z.zone_id
    left join first_listed as l on l.zone_id = z.zone_id
    left join core.zone_time_zone as n on n.zone_id = z.zone_id
    where p.zone_id is not null or l.zone_id is not null
),

-- Includes the date after the last day, because its start is the end of that day.
date_of_zone as (
    select
        zone_id,
        time_zone,
        first_offset,
        cast(
            unnest(
                generate_series(
                    least(
                        first_date,
                        cast(local_time(first_at, first_offset, time_zone) as date)
                    ),
                    greatest(
                        last_date,
                        cast(local_time(getvariable('horizon_at'), last_offset, time_zone) as date)
                    )
                    + 1,
                    interval 1 day
                )
            ) as date
        ) as date
    from zone_clock
),

day_start as (
    select
        d.zone_id,
        d.date,
        case
            when d.time_zone is null
                then cast(d.date as timestamp) - to_minutes(coalesce(o.utc_offset_minutes, d.first_offset))
            else day_start(d.date, d.time_zone)
        end as start_at
    from date_of_zone as d
    asof left join day_offset as o on o.zone_id = d.zone_id and o.date <= d.date
),

-- If a clock jumps forward by more than a day, the dates in between are skipped.
begun as (
    select
        zone_id,
        date,
        min(start_at) over (
            partition by zone_id order by date rows between current row and unbounded following
        ) as start_at
    from day_start
)

select
    zone_id,
    date,
    start_at,
    lead(start_at) over (partition by zone_id order by date) as end_at
from begun
qualify end_at is not null;

-- Device days whose start or end changed.
insert into core.dirty_device_day
select
    '' as kind,
    coalesce(z.date, f.date) as date
from (
    select z.*
    from core.zone_day as z
    semi join temp.touched_zone as t on t.zone_id = z.zone_id
) as z
full join temp.former_day as f on f.zone_id = z.zone_id and f.date = z.date
where f.start_at is distinct from z.start_at or f.end_at is distinct from z.end_at
except
select *
from core.dirty_device_day;
