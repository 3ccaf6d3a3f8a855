-- The requested zones that have the requested attributes on any day of the period; one row per zone.
--
-- Reads: asked_zone, zone_slot

select a.*
from asked_zone as a
where a.zone_id in (select zone_id from zone_slot)
