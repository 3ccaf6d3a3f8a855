-- One row per name, from when any machine first saw it to when any last saw it.
--
-- Reads: lake.name_span

select
    subject,
    kind,
    id,
    name,
    min(first_at) as first_at,
    max(last_at) as last_at
from lake.name_span
group by subject, kind, id, name
