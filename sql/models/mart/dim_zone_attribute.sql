-- One row per zone with any attribute, one column per attribute: its value at the time of the data, as a number if all
-- values of the attribute are numbers.
--
-- Grain: zone_id
-- Reads: mart.bridge_zone_attribute, mart.mart_info
-- Built: whole
-- Pivot: zone
-- Columns:
--   zone_id   = dim_zone.zone_id: The zone, which may be unknown.

select
    b.zone_id
from mart.bridge_zone_attribute as b
cross join mart.mart_info as i
group by b.zone_id
