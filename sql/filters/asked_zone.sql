-- Zones that match the requested zones, locations and groups; one row per zone.
--
-- Reads: chosen_group_zone, dim_zone, p

select z.*
from p
cross join dim_zone as z
where
    (p.zone_ids = '' or position(',' || cast(z.zone_id as varchar) || ',' in p.zone_ids) > 0)
    and (p.location_ids = '' or position(',' || cast(z.location_id as varchar) || ',' in p.location_ids) > 0)
    and (p.group_ids = '' or z.zone_id in (select zone_id from chosen_group_zone))
