-- One row per opening of a zone with a device: by reference/opening_hours.csv, or, where that says nothing of a zone, as
-- learnt from when it plays. What open seconds and silence are told from.
--
-- Grain: zone_id, opens_at
-- Reads: staging.zone_opening
-- Built: whole
-- Columns:
--   zone_id     = dim_zone.zone_id: The zone.
--   date        = dim_date.date: Local date on which it opens.
--   opens_at    Opens (instant): Instant at which it opens, in UTC.
--   closes_at   Closes (instant): Instant at which it closes, in UTC; may be on the next date.

select
    zone_id,
    date,
    opens_at,
    closes_at
from staging.zone_opening
