-- The groups that are collected. One that is not any more has no zones, and answered once; one that never answered is
-- still to.
--
-- Reads: bridge_group_zone, dim_group, fact_freshness, fact_load, fact_snapshot

select g.*
from dim_group as g
where
    g.group_id in (select group_id from bridge_group_zone)
    or g.group_id in (select group_id from fact_freshness)
    or g.group_id not in (
        select group_id from fact_load where group_id is not null
        union
        select group_id from fact_snapshot where group_id is not null
    )
