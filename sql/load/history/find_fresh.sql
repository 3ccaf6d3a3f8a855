-- Finds lines whose hash is not in core.play, and plays without a line. Returns the number of these lines.
-- Reads: temp.line_hash, temp.odd_line, temp.stored_play
-- Leaves: temp.line_hash, temp.unmatched

-- Odd lines get no hash, because DuckDB would hash them like lines that differ only in surrounding spaces.
update temp.line_hash
set hash = null
from temp.odd_line as o
where line_hash.rowid = o.file_row;

insert into temp.unmatched
select
    l.rowid as file_row,
    l.hash,
    p.stored_row
from temp.line_hash as l
full join (
    select
        stored_row,
        line_hash
    from temp.stored_play
    where is_known
) as p on p.line_hash = l.hash
where l.hash is null or p.line_hash is null;

select count(file_row) as lines
from temp.unmatched;
