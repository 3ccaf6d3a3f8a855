-- The newest name of each zone, location, item and artist: by instant, then the first by alphabet. Blank names
-- don't count.
--
-- Grain: subject, kind, id
-- Reads: core.name_span
-- Built: view
-- Columns:
--   subject   zone, location, item or artist.
--   kind      Of an item; empty for everything else.
--   id        Of the subject.
--   name      As last seen.

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
