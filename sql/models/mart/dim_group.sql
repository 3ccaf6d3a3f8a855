-- One row per group that is or was collected.
--
-- Grain: group_id
-- Reads: core.configured_group, core.group_name, core.load, core.snapshot, staging.zone_group
-- Built: whole
-- Columns:
--   group_id     Group id (id): The service's number for the group.
--   group_name   Group (text): Name from reference/group_names.csv, because the service does not name groups; otherwise
--                Group 123.

with known as (
    select group_id from core.configured_group
    union
    select group_id from staging.zone_group
    union
    select group_id from core.snapshot where group_id is not null
    union
    select group_id from core.load where group_id is not null
)

select
    k.group_id,
    coalesce(n.group_name, 'Group ' || cast(k.group_id as varchar)) as group_name
from known as k
left join core.group_name as n on n.group_id = k.group_id
