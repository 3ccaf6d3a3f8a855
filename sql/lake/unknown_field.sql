-- Undocumented fields, with their counts in the responses to all machines.
--
-- Reads: lake.unknown_field

select
    source,
    kind,
    field,
    cast(sum(answers) as bigint) as answers,
    cast(sum(records) as bigint) as records,
    min(first_seen_at) as first_seen_at,
    max(last_seen_at) as last_seen_at
from lake.unknown_field
group by source, kind, field
