-- The zones of the requested groups: one row per group and zone.
--
-- Reads: bridge_group_zone, p

select
    b.group_id,
    b.zone_id
from p
cross join bridge_group_zone as b
where p.group_ids = '' or position(',' || cast(b.group_id as varchar) || ',' in p.group_ids) > 0
