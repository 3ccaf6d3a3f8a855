-- One row per device and unbroken span in one state, as shown by its snapshots. Time before the first snapshot and
-- after the last is excluded.
--
-- Grain: device_id, from_at
-- Reads: staging.device_run
-- Built: whole
-- Published: ordered by device_id, from_at
-- Columns:
--   device_id   = dim_device.device_id: The device.
--   zone_id     = dim_zone.zone_id: The device's zone at the time.
--   state       State (text): up, down, or unknown if snapshots do not show the state.
--   from_at     From (instant): Start of the span, in UTC.
--   until_at    Until (instant): End of the span, exclusive, in UTC.

select
    device_id,
    zone_id,
    state,
    from_at,
    until_at
from staging.device_run
