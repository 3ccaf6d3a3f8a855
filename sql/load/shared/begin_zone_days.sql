-- Adds each zone's local days after its last recorded day, up to the day of the latest request.
-- Reads: core.load, core.play, core.service_time_zone, core.snapshot, core.zone_day, core.zone_time_zone
-- Leaves: $horizon_at, core.zone_day
set variable horizon_at = greatest(
    (select max(requested_at) from core.load),
    (select max(requested_at) from core.snapshot)
);

insert into core.zone_day
with last_day as (
    select
        zone_id,
        max(date) as date,
        max_by(end_at, date) as end_at,
        max_by(cast(date as timestamp) - start_at, date) as clock_offset
    from core.zone_day
    group by zone_id
    having max(end_at) <= getvariable('horizon_at')
),

zone_clock as (
    select
        l.*,
        clock_of(n.time_zone, p.zone_id) as time_zone
    from last_day as l
    left join core.zone_time_zone as n on n.zone_id = l.zone_id
    left join (
        select distinct p.zone_id
        from core.play as p
        semi join last_day as l on l.zone_id = p.zone_id
        where p.duration_secs > 0
    ) as p on p.zone_id = l.zone_id
),

begun as (
    select
        zone_id,
        time_zone,
        clock_offset,
        cast(
            unnest(
                generate_series(
                    date + 1,
                    cast(
                        case
                            when time_zone is null then getvariable('horizon_at') + clock_offset
                            else cast(timezone(time_zone, cast(getvariable('horizon_at') as timestamptz)) as timestamp)
                        end as date
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
        zone_id,
        date,
        case
            when time_zone is null then cast(date as timestamp) - clock_offset
            else day_start(date, time_zone)
        end as start_at
    from begun
)

select
    zone_id,
    date,
    start_at,
    lead(start_at) over (partition by zone_id order by date) as end_at
from day_start
qualify end_at is not null;
