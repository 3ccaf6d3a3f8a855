-- Whether an export lacks any play that it should hold.
-- Reads: temp.shown_zone
-- Makes: nothing
select 1 as found
from temp.shown_zone
where last_missing_at > first_at
limit 1
