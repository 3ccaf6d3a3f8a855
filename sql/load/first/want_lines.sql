-- The lines that JavaScript is to look at: one for each set of names, and those that are no records.
create or replace temp table wanted_line as
with sample as (
    select ordinal from place_sample
    union
    select ordinal from item_sample
)

select
    ordinal,
    false as is_refused
from sample
union all
select
    rowid - getvariable('first_row') + 1 as ordinal,
    true as is_refused
from core.play
where first_load_id = getvariable('load_id') and zone_id = -1
