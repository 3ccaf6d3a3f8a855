-- Assigns the rows of the last reading to pieces, and selects the lines that JavaScript must judge.
-- Reads: $reading, $rows_before, $source, temp.landing, temp.line, temp.piece
-- Leaves: $first_row, temp.judged_line, temp.merged_repeat, temp.repeated_key, temp.row_block, temp.wanted_line
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
where rows > 0 and not is_repeat;

-- Repeats are determined again from all rows, including those from earlier readings.
delete from temp.repeated_key;

delete from temp.merged_repeat;

-- Selects rows that DuckDB could not convert to records.
delete from temp.wanted_line;

delete from temp.judged_line;

insert into temp.wanted_line
select rowid - getvariable('first_row') as line_row
from temp.line
where played_at is null and rowid >= getvariable('first_row') + getvariable('rows_before');

-- Selects plays that began too late for their own walk. DuckDB compared all instants with the limit of the latest
-- landing, but walks that are loaded together have different limits.
insert into temp.wanted_line
select l.rowid - getvariable('first_row') as line_row
from temp.line as l
inner join temp.row_block as b
    on b.block = (l.rowid - getvariable('first_row')) // 64
    and l.rowid - getvariable('first_row') between b.from_row and b.to_row
inner join temp.landing as d on d.load_id = b.load_id
where getvariable('source') = 'walk' and l.played_at > d.latest_played_at;
