-- The last row of core.play that a record matched.
-- Reads: temp.matched
-- Makes: nothing
select coalesce(max(stored_row), -1) as "lastRow"
from temp.matched
