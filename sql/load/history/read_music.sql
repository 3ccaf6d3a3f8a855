-- Reads the lines of songs in $read_file.
-- Reads: temp.music_text
-- Makes: temp.line
insert into temp.line
select
    sound_played_at as played_at,
    seconds as duration_secs,
    place_hash,
    item_hash
from typed_line('temp.music_text')
