-- One row per group and zone in the group. A zone may belong to several groups, so totals over groups must count each
-- zone once.
--
-- Grain: group_id, zone_id
-- Reads: staging.zone_group
-- Built: whole
-- Columns:
--   group_id   = dim_group.group_id: The group.
--   zone_id    = dim_zone.zone_id: A zone in the group's latest devices listing or export. Note: A zone that no group's
--              latest listing or export contains stays in the group where it was last seen.

select
    group_id,
    zone_id
from staging.zone_group
