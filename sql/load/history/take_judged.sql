-- Takes lines that JavaScript read; the parameter is a JSON array of them.
-- Reads: nothing
-- Makes: temp.judged_line
insert into temp.judged_line
select *
from rows_of(?, '[{"line_row": "bigint", "line": "varchar"}]')
