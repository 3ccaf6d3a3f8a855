-- Adds undocumented fields to those that were seen before.
-- Reads: temp.unknown_field
-- Makes: core.unknown_field
merge into core.unknown_field as k
using temp.unknown_field as u using (source, kind, field)
when matched
    then update set
        answers = k.answers + u.answers,
        records = k.records + u.records,
        first_seen_at = least(k.first_seen_at, u.first_seen_at),
        last_seen_at = greatest(k.last_seen_at, u.last_seen_at)
when not matched
    then insert;
