-- How many rows the lines of the last reading should be.
-- Reads: $reading, temp.piece
-- Makes: nothing
select cast(coalesce(sum(lines - blank), 0) as bigint) as lines
from temp.piece
where reading = getvariable('reading')
