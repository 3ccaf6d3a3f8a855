-- The requested zones with the values by which a report can be split into files: one row per zone, group and
-- combination of attribute values.
--
-- For: plays, compliance, uptime, outages, devices, single-plays
-- Reads: chosen_group_zone, dim_group, dim_location, p, zone_slot
-- Attributes: zone
-- Columns:
--   zone_id         = dim_zone.zone_id
--   zone_name       = dim_zone.zone_name
--   group_id        = dim_group.group_id
--   group_name      = dim_group.group_name
--   location_id     = dim_location.location_id
--   location_name   = dim_location.location_name
--   city            = dim_location.city

select distinct
    z.zone_id,
    z.zone_name,
    b.group_id,
    g.group_name,
    z.location_id,
    l.location_name,
    l.city,
    case when p.by_slot_1 then z.slot_1 end as attribute_1,
    case when p.by_slot_2 then z.slot_2 end as attribute_2,
    case when p.by_slot_3 then z.slot_3 end as attribute_3
from p
cross join zone_slot as z
left join dim_location as l on l.location_id = z.location_id
left join chosen_group_zone as b on p.by_group and b.zone_id = z.zone_id
left join dim_group as g on g.group_id = b.group_id
order by z.zone_id, b.group_id
