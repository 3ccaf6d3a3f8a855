-- Replaces the names of groups.
-- Reads: temp.reference_row
-- Leaves: core.group_name
delete from core.group_name;

insert into core.group_name
select
    id as group_id,
    value as group_name
from temp.reference_row;
