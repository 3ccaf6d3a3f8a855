-- How many sets are not named.
-- Reads: temp.unnamed_set
-- Makes: nothing
select count(*) as odd
from temp.unnamed_set
