-- What the lines to load say of zones and items.
create or replace temp table line_group as
select
    *,
    false as is_mended
from grouped_line('changed_text')
union all
select
    *,
    true as is_mended
from grouped_line('mended_text')
