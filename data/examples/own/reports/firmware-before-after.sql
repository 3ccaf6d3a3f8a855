-- Availability of devices in the 7 days before and after a firmware change, by the new firmware.
--
-- Title: Firmware before and after
-- Columns:
--   changed_devices      Devices (count): Devices that changed to this firmware in the period.
--   availability_before  Before (share): Up ÷ (up + down) in the 7 days before the change.
--   availability_after   After (share): Up ÷ (up + down) in the 7 days from the change.

with ranged as (
    select
        device_id,
        firmware,
        valid_from,
        lag(firmware) over (partition by device_id order by valid_from) as firmware_before
    from bridge_device_firmware
),

changed as (
    select
        r.device_id,
        r.firmware,
        r.valid_from as changed_on
    from ranged as r
    inner join period as p on p.date = r.valid_from
    where r.firmware <> r.firmware_before
),

day as (
    select
        c.firmware,
        c.device_id,
        f.date < c.changed_on as is_before,
        f.up_seconds,
        f.down_seconds
    from changed as c
    inner join fact_device_day as f
        on f.device_id = c.device_id
        and f.date between cast(c.changed_on - interval '7' day as date)
        and cast(c.changed_on + interval '6' day as date)
    inner join chosen_zone as z on z.zone_id = f.zone_id
)

select
    firmware,
    count(distinct device_id) as changed_devices,
    cast(sum(case when is_before then up_seconds end) as double)
    / nullif(sum(case when is_before then up_seconds + down_seconds end), 0) as availability_before,
    cast(sum(case when not is_before then up_seconds end) as double)
    / nullif(sum(case when not is_before then up_seconds + down_seconds end), 0) as availability_after
from day
group by firmware
order by changed_devices desc, firmware
