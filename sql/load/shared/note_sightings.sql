-- The zones that an export of a group holds belong to that group.
update core.zone_group_sighting
set last_seen_at = greatest(last_seen_at, getvariable('requested_at'))
from seen_zone as s
where
    zone_group_sighting.zone_id = s.zone_id
    and zone_group_sighting.group_id = getvariable('group_id')
    and zone_group_sighting.source = getvariable('source')
    and zone_group_sighting.kind = getvariable('kind');

insert into core.zone_group_sighting
select
    s.zone_id,
    getvariable('group_id') as group_id,
    getvariable('source') as source,
    getvariable('kind') as kind,
    getvariable('requested_at') as last_seen_at
from seen_zone as s
anti join core.zone_group_sighting as g
    on g.zone_id = s.zone_id
    and g.group_id = getvariable('group_id')
    and g.source = getvariable('source')
    and g.kind = getvariable('kind');
