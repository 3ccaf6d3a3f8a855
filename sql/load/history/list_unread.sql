-- The pieces that have to be read.
-- Reads: temp.piece
-- Makes: nothing
select place
from temp.piece
where not is_known and not is_repeat and reading is null
order by place
