-- One row per device and range of local dates with one platform, model and firmware, taken from its last snapshot up to
-- the end of each day. The first range also covers earlier days, and the last one later days.
--
-- Grain: device_id, valid_from
-- Reads: core.zone_day, staging.device_snapshot
-- Built: whole
-- Columns:
--   device_id    = dim_device.device_id: The device.
--   platform     = dim_device.platform
--   model        = dim_device.model
--   firmware     = dim_device.firmware
--   valid_from   = bridge_zone_attribute.valid_from: First local date, in the device's zone at the time.
--   valid_to     = bridge_zone_attribute.valid_to: Last local date.

with changed as (
    select
        device_id,
        seen_at,
        zone_id,
        platform,
        model,
        firmware
    from (
        select
            s.*,
            lag(seen_at) over (partition by device_id order by seen_at) as seen_before_at,
            lag(platform) over (partition by device_id order by seen_at) as platform_before,
            lag(model) over (partition by device_id order by seen_at) as model_before,
            lag(firmware) over (partition by device_id order by seen_at) as firmware_before
        from staging.device_snapshot as s
    ) as snapshot
    where
        seen_before_at is null
        or platform is distinct from platform_before
        or model is distinct from model_before
        or firmware is distinct from firmware_before
),

dated as (
    select
        c.*,
        z.date
    from changed as c
    cross join (values (-1), (0), (1)) as k (days)
    inner join core.zone_day as z
        on z.zone_id = c.zone_id
        and z.date = cast(cast(c.seen_at as date) + k.days * interval '1' day as date)
        and z.start_at <= c.seen_at
        and z.end_at > c.seen_at
),

-- Only the last change of a day is used. After a move to another time zone, a later change may have an earlier date.
followed as (
    select
        dated.*,
        min(date) over (
            partition by device_id order by seen_at
            rows between 1 following and unbounded following
        ) as next_date
    from dated
),

kept as (
    select
        device_id,
        date,
        platform,
        model,
        firmware
    from followed
    where next_date is null or next_date > date
),

-- A change that is undone on the same day leaves two equal ranges, which are merged.
marked as (
    select
        kept.*,
        case
            when lag(date) over (partition by device_id order by date) is not null
                and platform is not distinct from lag(platform) over (partition by device_id order by date)
                and model is not distinct from lag(model) over (partition by device_id order by date)
                and firmware is not distinct from lag(firmware) over (partition by device_id order by date)
                then 0
            else 1
        end as begins
    from kept
)

select
    device_id,
    platform,
    model,
    firmware,
    case
        when lag(date) over (partition by device_id order by date) is null then date '1900-01-01'
        else date
    end as valid_from,
    coalesce(
        cast(lead(date) over (partition by device_id order by date) - interval '1' day as date),
        date '2099-12-31'
    ) as valid_to
from marked
where begins = 1
