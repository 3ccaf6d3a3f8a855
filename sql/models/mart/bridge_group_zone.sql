-- One row per group and zone that belongs to it. A zone may belong to several groups: totals over groups must
-- count each zone once.
--
-- Grain: group_id, zone_id
-- Reads: staging.zone_group
-- Built: whole
-- Columns:
--   group_id   = dim_group.group_id: The group.
--   zone_id    = dim_zone.zone_id: A zone that was in the group's newest devices listing or export. Note: A zone that is
--              in no group's newest ones stays in the group where it was seen last.

select
    group_id,
    zone_id
from staging.zone_group
