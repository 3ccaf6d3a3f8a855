-- Adds undocumented fields to those that were seen before.
-- Reads: core.unknown_field, temp.unknown_field
-- Makes: core.unknown_field
update core.unknown_field
set
    answers = unknown_field.answers + u.answers,
    records = unknown_field.records + u.records,
    first_seen_at = least(unknown_field.first_seen_at, u.first_seen_at),
    last_seen_at = greatest(unknown_field.last_seen_at, u.last_seen_at)
from temp.unknown_field as u
where unknown_field.source = u.source and unknown_field.kind = u.kind and unknown_field.field = u.field;

insert into core.unknown_field
select u.*
from temp.unknown_field as u
anti join core.unknown_field as k on k.source = u.source and k.kind = u.kind and k.field = u.field
