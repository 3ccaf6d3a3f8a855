-- The groups that are still collected, so that old or missing data of theirs matters: those with zones or fresh history,
-- and those that never returned anything. A group that was removed from VENUE_GROUP_IDS has neither zones nor freshness.
--
-- Reads: bridge_group_zone, dim_group, fact_freshness, fact_load, fact_snapshot

select g.*
from dim_group as g
where
    g.group_id in (select group_id from bridge_group_zone)
    or g.group_id in (select group_id from fact_freshness)
    or g.group_id not in (
        select group_id from fact_load where group_id is not null
        union all
        select group_id from fact_snapshot where group_id is not null
    )
