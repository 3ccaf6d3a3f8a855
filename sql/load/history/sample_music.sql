-- Reads lines of songs in $read_file that stand for others of their sets.
-- Reads: temp.music_text
-- Makes: temp.sample_text
delete from temp.sample_text;

insert into temp.sample_text by name
select *
from temp.music_text
