-- Of landings that are loaded together, lines that began too late for their own.
-- Reads: temp.landing, temp.record
-- Makes: temp.wanted_line
insert into temp.wanted_line
select r.line_row
from temp.record as r
inner join temp.landing as l on l.load_id = r.load_id
where r.played_at > l.latest_played_at
