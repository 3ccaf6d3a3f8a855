-- One row per device and span of over ten minutes in which it was up, its zone was open, and nothing played. A span that
-- reaches into another local day or opening has a row for each part.
--
-- Grain: device_id, zone_id, date, from_at
-- Reads: core.zone_day, staging.player_day_silence
-- Built: day of devices
-- Published: ordered by date, zone_id, device_id, from_at
-- Columns:
--   device_id        = dim_device.device_id: The device.
--   zone_id          = dim_zone.zone_id: The zone it was in.
--   date             = dim_date.date: The zone's local day of this part.
--   from_at          From (instant): When this part began, in UTC.
--   silent_seconds   = fact_device_day.silent_seconds: How long it lasted.

select
    s.device_id,
    s.zone_id,
    s.date,
    case when s.from_at < z.start_at then z.start_at else s.from_at end as from_at,
    s.silent_seconds
from staging.player_day_silence as s
inner join core.zone_day as z on z.zone_id = s.zone_id and z.date = s.date
where s.device_id is not null
