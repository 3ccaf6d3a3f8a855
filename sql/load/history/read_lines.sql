-- Reads the lines in $read_file.
-- Reads: temp.line_text
-- Makes: temp.line
insert into temp.line
select
    sound_played_at as played_at,
    seconds as duration_secs,
    place_hash,
    item_hash
from typed_line('temp.line_text')
