-- Which lines are sound, in the order of the file: rows are inserted in order, so their ids count them.
create or replace temp table line_test as
select coalesce(is_sound, false) as is_sound
from typed_line('landing_text')
