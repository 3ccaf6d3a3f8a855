-- The lines that are not sound. The test's rows are inserted in the order of the file, so their ids count the lines.
create or replace temp table line_test as
select coalesce(is_sound, false) as is_sound
from typed_line('landing_text');

create or replace temp table wanted_line as
select
    rowid - (select min(rowid) from line_test) + 1 as ordinal,
    true as is_refused
from line_test
where not is_sound
