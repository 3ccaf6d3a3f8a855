-- One row per zone, day of the week and opening in reference/opening_hours.csv. Zones that the file does not list have
-- no rows.
--
-- Grain: zone_id, day_of_week, opens_secs
-- Reads: core.opening_hours
-- Built: whole
-- Columns:
--   zone_id       = dim_zone.zone_id: The zone, which may be unknown.
--   day_of_week   Day of week (ordinal): Day on which it opens: 1 = Monday to 7 = Sunday.
--   opens_secs    = fact_zone_hours.opens_secs: Opening time in seconds since midnight.
--   closes_secs   = fact_zone_hours.closes_secs: Closing time in seconds since the same midnight; more than 86,400 is on
--                 the next day.

select
    zone_id,
    day_of_week,
    cast(opens_secs as bigint) as opens_secs,
    cast(closes_secs as bigint) as closes_secs
from core.opening_hours
