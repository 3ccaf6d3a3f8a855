-- A line of each set that is not named yet.
-- Reads: temp.unnamed_set
-- Makes: temp.wanted_line
delete from temp.wanted_line;

insert into temp.wanted_line
select distinct line_row
from temp.unnamed_set
