-- One row per zone, kind that the zone plays, and range of local dates, from reference/zone_kinds.csv. A zone without
-- rows plays every kind.
--
-- Grain: zone_id, kind, valid_from
-- Reads: core.zone_kind
-- Built: whole
-- Columns:
--   zone_id      = dim_zone.zone_id: The zone, which may be unknown.
--   kind         = dim_kind.kind
--   valid_from   = bridge_zone_attribute.valid_from
--   valid_to     = bridge_zone_attribute.valid_to

select
    zone_id,
    kind,
    valid_from,
    valid_to
from core.zone_kind
