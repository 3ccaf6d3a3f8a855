-- One row per span of staging.player_run and local day of the zone: the part of the span on that day.
--
-- Grain: device_id, zone_id, date, from_at
-- Reads: core.zone_day, staging.player_run
-- Built: day of devices
-- Columns:
--   device_id   The device; null: the zone as a whole.
--   zone_id     The zone.
--   date        The zone's local day.
--   state       up, down or unknown.
--   from_at     Start of the part, in UTC.
--   until_at    End of the part, exclusive.

select
    r.device_id,
    r.zone_id,
    z.date,
    r.state,
    case when r.from_at < z.start_at then z.start_at else r.from_at end as from_at,
    case when r.until_at > z.end_at then z.end_at else r.until_at end as until_at
from core.zone_day as z
inner join staging.player_run as r on r.zone_id = z.zone_id and r.from_at < z.end_at and r.until_at > z.start_at
