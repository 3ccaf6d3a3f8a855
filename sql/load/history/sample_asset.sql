-- Reads lines of assets in $read_file that stand for others of their sets.
-- Reads: temp.asset_text
-- Makes: temp.sample_text
delete from temp.sample_text;

insert into temp.sample_text by name
select *
from temp.asset_text
