-- Selects the lines to read from a copy.
-- Reads: temp.unmatched
-- Leaves: temp.fresh_line
insert into temp.fresh_line
select
    file_row,
    hash
from temp.unmatched
where file_row is not null
order by file_row
