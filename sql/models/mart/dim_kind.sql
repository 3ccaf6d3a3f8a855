-- One row per kind of play.
--
-- Grain: kind
-- Reads: nothing
-- Built: whole
-- Columns:
--   kind   Kind (text): music, signage or messaging. Note: Signage runs on screens; messaging plays audio messages.

select
    cast(kind as varchar) as kind
from (values ('music'), ('signage'), ('messaging')) as kinds (kind)
