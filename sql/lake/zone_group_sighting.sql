-- When any machine last saw a zone in a group, per source.
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
