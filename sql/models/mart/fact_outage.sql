-- One row per outage: an unbroken span of at least 15 minutes in which a device was down.
--
-- Grain: outage_key
-- Reads: core.device_snapshot, core.snapshot, core.zone_day, staging.device_counted, staging.device_run, staging.device_snapshot
-- Built: whole
-- Published: ordered by zone_id, started_at, device_id
-- Columns:
--   outage_key     Outage key (text): The device number, an @, and the start of the outage in seconds after 1970-01-01
--                  UTC.
--   device_id      = dim_device.device_id: The device.
--   zone_id        = dim_zone.zone_id: The device's zone at the time.
--   date           = dim_date.date: Local date on which the outage began.
--   started_at     Began (instant): Start of the outage, in UTC.
--   ended_at       Known down until (instant): Last instant at which the device is known to have been down, in UTC;
--                  blank while ongoing. Note: The device came back at this instant, or between it and seen_up_at if the
--                  next check was late.
--   down_seconds   Down (seconds): Duration of the outage, up to the device's last snapshot while ongoing.
--   is_open        Still down (yes or no): Whether the outage was ongoing in the latest listing, and the device is
--                  still listed.
--   seen_up_at     Up again by (instant): First check that found the device up again, in UTC; blank while ongoing, or
--                  if no check has found it up. Note: Later than ended_at if the next check was too late to show when
--                  the device came back.

with seen as (
    select
        group_id,
        device_id,
        max(requested_at) as requested_at
    from core.device_snapshot
    group by group_id, device_id
),

newest as (
    select
        group_id,
        max(requested_at) as requested_at
    from core.snapshot
    where source = 'devices'
    group by group_id
),

listed as (
    select distinct s.device_id
    from seen as s
    inner join newest as n on n.group_id = s.group_id and n.requested_at = s.requested_at
),

-- The check that ends an outage may itself be the first to find the device up again.
checked as (
    select
        device_id,
        seen_at,
        min(case when state = 'up' then seen_at end) over (
            partition by device_id
            order by seen_at
            rows between current row and unbounded following
        ) as seen_up_at
    from staging.device_snapshot
),

outage as (
    select
        r.device_id,
        r.zone_id,
        r.from_at,
        r.until_at,
        l.device_id is not null and not c.is_replaced and c.last_state = 'down' and r.until_at = c.counted_until
            as is_open
    from staging.device_run as r
    inner join staging.device_counted as c on c.device_id = r.device_id
    left join listed as l on l.device_id = r.device_id
    where r.state = 'down' and date_diff('second', r.from_at, r.until_at) >= 900
)

select
    cast(o.device_id as varchar)
    || '@'
    || cast(date_diff('second', timestamp '1970-01-01 00:00:00', o.from_at) as varchar) as outage_key,
    o.device_id,
    o.zone_id,
    z.date,
    o.from_at as started_at,
    case when not o.is_open then o.until_at end as ended_at,
    date_diff('second', o.from_at, o.until_at) as down_seconds,
    o.is_open,
    k.seen_up_at
from outage as o
left join checked as k on k.device_id = o.device_id and k.seen_at = o.until_at
inner join core.zone_day as z on z.zone_id = o.zone_id and z.start_at <= o.from_at and z.end_at > o.from_at
