-- Each name once: from when it was first seen to when it was last seen, by any machine.
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
