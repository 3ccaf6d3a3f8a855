-- The lines of the last reading that are no records, as far as DuckDB can tell.
-- Reads: $first_row, $rows_before, temp.line
-- Makes: temp.judged_line, temp.wanted_line
delete from temp.wanted_line;

delete from temp.judged_line;

insert into temp.wanted_line
select rowid - getvariable('first_row') as line_row
from temp.line
where played_at is null and rowid >= getvariable('first_row') + getvariable('rows_before');
