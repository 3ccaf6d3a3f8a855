-- The zones that an export of a group holds belong to that group.
-- Reads: $group_id, $kind, $requested_at, $source, temp.shown_zone
-- Makes: temp.sighting
insert into temp.sighting
select
    zone_id,
    getvariable('group_id') as group_id,
    getvariable('source') as source,
    getvariable('kind') as kind,
    getvariable('requested_at') as seen_at
from temp.shown_zone
