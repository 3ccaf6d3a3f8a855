-- One row per name, with the first and last instant at which any machine saw it.
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
