-- One row per group and zone in the group. A zone may belong to several groups: totals over groups must count each zone
-- once.
--
-- Grain: group_id, zone_id
-- Reads: staging.zone_group
-- Built: whole
-- Columns:
--   group_id   = dim_group.group_id: The group.
--   zone_id    = dim_zone.zone_id: A zone in the group's newest devices listing or export. Note: A zone that is missing
--              from the newest ones of all groups stays in the group where it was last seen.

select
    group_id,
    zone_id
from staging.zone_group
