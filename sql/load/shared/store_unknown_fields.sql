update core.unknown_field
set
    answers = unknown_field.answers + 1,
    records = unknown_field.records + u.records,
    first_seen_at = least(unknown_field.first_seen_at, getvariable('requested_at')),
    last_seen_at = greatest(unknown_field.last_seen_at, getvariable('requested_at'))
from temp.unknown_field as u
where unknown_field.source = u.source and unknown_field.kind = u.kind and unknown_field.field = u.field;

insert into core.unknown_field
select
    u.source,
    u.kind,
    u.field,
    1 as answers,
    u.records,
    getvariable('requested_at') as first_seen_at,
    getvariable('requested_at') as last_seen_at
from temp.unknown_field as u
anti join core.unknown_field as known on known.source = u.source and known.kind = u.kind and known.field = u.field;

drop table temp.unknown_field
