delete from core.group_name;

insert into core.group_name
select
    id as group_id,
    value as group_name
from reference_row
