-- Reads lines in $read_file that stand for others of their sets.
-- Reads: temp.line_text
-- Makes: temp.sample_text
insert into temp.sample_text by name
select *
from temp.line_text
