-- Names and locations that were seen widen the spans of known ones, or begin new spans.
-- Reads: core.name_span, core.zone_location_span, temp.seen_name, temp.seen_zone_location
-- Makes: core.name_span, core.zone_location_span
update core.name_span
set
    first_at = least(name_span.first_at, s.first_at),
    last_at = greatest(name_span.last_at, s.last_at)
from temp.seen_name as s
where
    name_span.subject = s.subject
    and name_span.kind = s.kind
    and name_span.id = s.id
    and name_span.name = s.name
    and (s.first_at < name_span.first_at or s.last_at > name_span.last_at);

insert into core.name_span
select
    s.subject,
    s.kind,
    s.id,
    s.name,
    s.first_at,
    s.last_at
from temp.seen_name as s
anti join core.name_span as n on n.subject = s.subject and n.kind = s.kind and n.id = s.id and n.name = s.name;

update core.zone_location_span
set
    first_at = least(zone_location_span.first_at, s.first_at),
    last_at = greatest(zone_location_span.last_at, s.last_at)
from temp.seen_zone_location as s
where
    zone_location_span.zone_id = s.zone_id
    and zone_location_span.location_id = s.location_id
    and (s.first_at < zone_location_span.first_at or s.last_at > zone_location_span.last_at);

insert into core.zone_location_span
select
    s.zone_id,
    s.location_id,
    s.first_at,
    s.last_at
from temp.seen_zone_location as s
anti join core.zone_location_span as z on z.zone_id = s.zone_id and z.location_id = s.location_id
