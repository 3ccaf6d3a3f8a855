-- The next lines to judge: their piece, and their number among its non-blank lines, from 1. Parameters: the row after
-- which to begin, and how many lines at most.
-- Reads: temp.row_block, temp.wanted_line
-- Makes: nothing
select
    w.line_row as "lineRow",
    b.place,
    b.piece_id as "pieceId",
    w.line_row - b.from_row + 1 as ordinal
from temp.wanted_line as w
inner join temp.row_block as b on b.block = w.line_row // 64 and w.line_row between b.from_row and b.to_row
where w.line_row > ?
order by w.line_row
limit ?
