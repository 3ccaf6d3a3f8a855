-- One row per listing requested by any machine.
--
-- Reads: lake.snapshot

select
    snapshot_id,
    landing_id,
    source,
    kind,
    group_id,
    requested_at,
    loaded_at,
    records,
    rejected,
    zone_id
from lake.snapshot
