-- One row per device and span of over ten minutes in which the device was up and its zone open, but nothing played.
-- Spans are split at the ends of local days and openings.
--
-- Grain: device_id, zone_id, date, from_at
-- Reads: core.zone_day, staging.player_day_silence
-- Built: day of devices
-- Published: ordered by date, zone_id, device_id, from_at
-- Columns:
--   device_id        = dim_device.device_id: The device.
--   zone_id          = dim_zone.zone_id: The device's zone at the time.
--   date             = dim_date.date: Local day of this part.
--   from_at          From (instant): Start of this part, in UTC.
--   silent_seconds   = fact_device_day.silent_seconds: Duration of this part.

select
    s.device_id,
    s.zone_id,
    s.date,
    case when s.from_at < z.start_at then z.start_at else s.from_at end as from_at,
    s.silent_seconds
from staging.player_day_silence as s
inner join core.zone_day as z on z.zone_id = s.zone_id and z.date = s.date
where s.device_id is not null
