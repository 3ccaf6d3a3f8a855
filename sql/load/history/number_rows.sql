-- Says which of the rows that were read last are of which piece.
-- Reads: $reading, $rows_before, temp.line, temp.piece
-- Makes: $first_row, temp.row_block
set variable first_row = (select min(rowid) from temp.line);

insert into temp.row_block
with numbered as (
    select
        place,
        piece_id,
        load_id,
        is_repeat,
        lines - blank as rows,
        getvariable('rows_before') + sum(lines - blank) over (order by place) as rows_after
    from temp.piece
    where reading = getvariable('reading')
)

select
    unnest(range(cast((rows_after - rows) // 64 as bigint), cast((rows_after - 1) // 64 as bigint) + 1)) as block,
    rows_after - rows as from_row,
    rows_after - 1 as to_row,
    place,
    piece_id,
    load_id
from numbered
where rows > 0 and not is_repeat
