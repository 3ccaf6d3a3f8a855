-- Selects the rows that JavaScript must classify.
-- Reads: $source, temp.landing, temp.landing_lines, temp.line
-- Leaves: temp.wanted_line

-- Rows that DuckDB could not convert to records.
insert into temp.wanted_line
select rowid as line_row
from temp.line
where played_at is null;

-- Plays that began too late for their walk. DuckDB compared all instants with the limit of the latest landing, but
-- walks that are loaded together have different limits.
insert into temp.wanted_line
select l.rowid as line_row
from temp.line as l
inner join temp.landing_lines as n on l.rowid >= n.from_row and l.rowid < n.to_row
inner join temp.landing as d on d.load_id = n.load_id
where getvariable('source') = 'walk' and l.played_at > d.latest_played_at;
