-- The requested groups. If zones or locations are requested, only the groups that contain one of them.
--
-- Reads: chosen_group_zone, chosen_zone, dim_group, p

select g.*
from p
cross join dim_group as g
where
    (p.group_ids = '' or position(',' || cast(g.group_id as varchar) || ',' in p.group_ids) > 0)
    and (
        (p.zone_ids = '' and p.location_ids = '')
        or g.group_id in (
            select b.group_id
            from chosen_group_zone as b
            inner join chosen_zone as z on z.zone_id = b.zone_id
        )
    )
