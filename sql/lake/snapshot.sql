-- Every listing that any machine asked for.
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
