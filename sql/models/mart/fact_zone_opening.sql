-- One row per opening of a zone with a device, from which open time and silence are measured. Hours come from
-- reference/opening_hours.csv; for zones not listed there, they are learnt from plays.
--
-- Grain: zone_id, opens_at
-- Reads: staging.zone_opening
-- Built: whole
-- Columns:
--   zone_id     = dim_zone.zone_id: The zone.
--   date        = dim_date.date: Local date on which it opens.
--   opens_at    Opens (instant): Instant of opening, in UTC.
--   closes_at   Closes (instant): Instant of closing, in UTC; may be on the next date.

select
    zone_id,
    date,
    opens_at,
    closes_at
from staging.zone_opening
