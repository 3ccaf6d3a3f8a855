-- Zones that an answer about a group named belong to that group, last of all then.
-- Reads: temp.sighting
-- Makes: core.zone_group_sighting
merge into core.zone_group_sighting as g
using temp.sighting as s using (zone_id, group_id, source, kind)
when matched
    then update set last_seen_at = greatest(g.last_seen_at, s.seen_at)
when not matched
    then insert;
