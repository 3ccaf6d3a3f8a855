-- A line of each set.
-- Reads: temp.line_set
-- Makes: temp.judged_line, temp.wanted_line
delete from temp.wanted_line;

delete from temp.judged_line;

insert into temp.wanted_line
select distinct line_row
from temp.line_set;
