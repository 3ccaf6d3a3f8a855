-- One row per group and zone that occurs in the group's exports.
select distinct
    group_id as "groupId",
    zone_id as "zoneId"
from core.zone_group_sighting
where source = 'export'
order by group_id, zone_id
