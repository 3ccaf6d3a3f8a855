-- One row per zone, location, item and artist with a name: its latest name, or the first alphabetically if several are
-- equally recent. Blank names are ignored.
--
-- Grain: subject, kind, id
-- Reads: core.name_span
-- Built: view
-- Columns:
--   subject   zone, location, item or artist.
--   kind      Kind of the item; empty for other subjects.
--   id        Number of the subject.
--   name      Latest name.

with ranked as (
    select
        subject,
        kind,
        id,
        name,
        row_number() over (partition by subject, kind, id order by last_at desc, name) as newest
    from core.name_span
    where trim(name) <> ''
)

select
    subject,
    kind,
    id,
    name
from ranked
where newest = 1
