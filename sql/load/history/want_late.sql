-- Of landings that are loaded together, lines that began too late for their own.
-- Reads: $first_row, temp.landing, temp.line, temp.row_block
-- Makes: temp.wanted_line
insert into temp.wanted_line
select l.rowid - getvariable('first_row') as line_row
from temp.line as l
inner join temp.row_block as b
    on b.block = (l.rowid - getvariable('first_row')) // 64
    and l.rowid - getvariable('first_row') between b.from_row and b.to_row
inner join temp.landing as d on d.load_id = b.load_id
where l.played_at > d.latest_played_at
