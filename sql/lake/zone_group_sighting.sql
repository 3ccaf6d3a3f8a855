-- One row per zone, group, source and kind, with the last instant at which any machine saw the zone in the group.
--
-- Reads: lake.zone_group_sighting

select
    zone_id,
    group_id,
    source,
    kind,
    max(last_seen_at) as last_seen_at
from lake.zone_group_sighting
group by zone_id, group_id, source, kind
