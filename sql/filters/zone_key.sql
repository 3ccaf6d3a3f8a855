-- The requested zones with the places and attributes that rows are grouped by: one row per zone and range of days with the same
-- attributes, and, by group, per group of the zone.
--
-- Reads: chosen_group_zone, dim_location, p, zone_slot

select
    z.zone_id,
    z.slot_from,
    z.slot_to,
    case when p.by_slot_1 then z.slot_1 end as key_slot_1,
    case when p.by_slot_2 then z.slot_2 end as key_slot_2,
    case when p.by_slot_3 then z.slot_3 end as key_slot_3,
    b.group_id as key_group_id,
    case when p.by_location then z.location_id end as key_location_id,
    case when p.by_city then l.city end as key_city,
    case when p.by_zone then z.zone_id end as key_zone_id
from p
cross join zone_slot as z
left join dim_location as l on l.location_id = z.location_id
left join (select c.* from p cross join chosen_group_zone as c where p.by_group) as b on b.zone_id = z.zone_id
