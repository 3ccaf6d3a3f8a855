-- One row per span in which a device was in one state, as far as looks at it tell, each as long as it can be. Nothing is
-- said of the time before the first look and after the last.
--
-- Grain: device_id, from_at
-- Reads: staging.device_run
-- Built: whole
-- Published: ordered by device_id, from_at
-- Columns:
--   device_id   = dim_device.device_id: The device.
--   zone_id     = dim_zone.zone_id: The zone it was in.
--   state       State (text): up, down, or unknown where checks do not tell.
--   from_at     From (instant): When it began, in UTC.
--   until_at    Until (instant): When it ended, exclusive, in UTC.

select
    device_id,
    zone_id,
    state,
    from_at,
    until_at
from staging.device_run
