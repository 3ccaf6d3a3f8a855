-- The loads of the requested kinds. If groups, zones or locations are requested, only exports of the groups
-- and walks of the zones, which excludes manually loaded files.
--
-- Reads: chosen_group, chosen_zone, fact_load, p

select l.*
from p
cross join fact_load as l
where
    (p.kinds = '' or position(',' || l.kind || ',' in p.kinds) > 0)
    and (
        (p.group_ids = '' and p.zone_ids = '' and p.location_ids = '')
        or l.group_id in (select group_id from chosen_group)
        or l.zone_id in (select zone_id from chosen_zone)
    )
