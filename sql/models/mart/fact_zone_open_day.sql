-- One row per zone and local day on which it was open: its open time, and how much of it was quiet, whether or not it has
-- a device.
--
-- Grain: zone_id, date
-- Reads: core.zone_day, mart.fact_quiet, staging.zone_opening
-- Built: day of devices
-- Published: by month, ordered by zone_id, date
-- Columns:
--   zone_id                = dim_zone.zone_id: The zone.
--   date                   = dim_date.date: Local day of the zone.
--   open_seconds           Open (seconds): Time in which the zone was open. Note: By reference/opening_hours.csv, or learnt
--                          from plays.
--   quiet_seconds          Quiet (seconds): Open time in which nothing of any kind played for over 10 minutes on end.
--   silent_seconds         Quiet while up (seconds): Quiet time in which a device of the zone was up.
--   quiet_down_seconds     Quiet while down (seconds): Quiet time in which the zone was down.

with opened as (
    select
        z.zone_id,
        z.date,
        cast(sum(
            date_diff(
                'second',
                case when o.opens_at > z.start_at then o.opens_at else z.start_at end,
                case when o.closes_at < z.end_at then o.closes_at else z.end_at end
            )
        ) as bigint) as open_seconds
    from core.zone_day as z
    cross join (values (0), (1), (2)) as k (days)
    inner join staging.zone_opening as o
        on o.zone_id = z.zone_id
        and o.date = cast(z.date - k.days * interval '1' day as date)
        and o.opens_at < z.end_at
        and o.closes_at > z.start_at
    group by z.zone_id, z.date
),

quiet as (
    select
        zone_id,
        date,
        cast(sum(quiet_seconds) as bigint) as quiet_seconds,
        cast(sum(silent_seconds) as bigint) as silent_seconds,
        cast(sum(quiet_down_seconds) as bigint) as quiet_down_seconds
    from mart.fact_quiet
    group by zone_id, date
)

select
    o.zone_id,
    o.date,
    o.open_seconds,
    coalesce(q.quiet_seconds, 0) as quiet_seconds,
    coalesce(q.silent_seconds, 0) as silent_seconds,
    coalesce(q.quiet_down_seconds, 0) as quiet_down_seconds
from opened as o
left join quiet as q on q.zone_id = o.zone_id and q.date = o.date
