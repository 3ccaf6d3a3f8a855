-- One line for each set of names.
create or replace temp table place_sample as
select
    place_hash,
    min(ordinal) as ordinal
from place_group
group by place_hash;

create or replace temp table item_sample as
select
    item_hash,
    min(ordinal) as ordinal
from item_group
group by item_hash;
