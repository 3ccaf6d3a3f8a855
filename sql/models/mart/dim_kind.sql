-- One row per kind of play.
--
-- Grain: kind
-- Reads: nothing
-- Built: whole
-- Columns:
--   kind   music, signage (screens) or messaging (audio messages).

select
    cast(kind as varchar) as kind
from (values ('music'), ('signage'), ('messaging')) as kinds (kind)
