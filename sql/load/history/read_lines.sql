-- Reads the lines of $read_file, in order.
-- Reads: temp.line_text
-- Leaves: temp.line
insert into temp.line
select
    sound_played_at as played_at,
    seconds as duration_secs,
    place_hash,
    item_hash
from typed_line('temp.line_text')
