-- Zones that an answer about a group named belong to that group, last of all then.
-- Reads: core.zone_group_sighting, temp.sighting
-- Makes: core.zone_group_sighting
update core.zone_group_sighting
set last_seen_at = greatest(zone_group_sighting.last_seen_at, s.seen_at)
from temp.sighting as s
where
    zone_group_sighting.zone_id = s.zone_id
    and zone_group_sighting.group_id = s.group_id
    and zone_group_sighting.source = s.source
    and zone_group_sighting.kind = s.kind;

insert into core.zone_group_sighting
select s.*
from temp.sighting as s
anti join core.zone_group_sighting as g
    on g.zone_id = s.zone_id
    and g.group_id = s.group_id
    and g.source = s.source
    and g.kind = s.kind
