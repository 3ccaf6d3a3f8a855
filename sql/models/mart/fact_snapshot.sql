-- One row per snapshot of a listing of devices, campaigns, assets, notices or components. There are
-- thousands of zone listings a day, so only each zone's latest one is included.
--
-- Grain: snapshot_id
-- Reads: core.snapshot
-- Built: whole
-- Columns:
--   snapshot_id    Snapshot (id): Number of the snapshot, in loading order.
--   source         Source (text): devices, campaigns, assets, notices or components.
--   kind           = dim_kind.kind: signage or messaging; null for listings without a kind.
--   group_id       = dim_group.group_id: Group that was requested; null for listings of zones and of the status API.
--   zone_id        = dim_zone.zone_id: Zone that was requested; null otherwise.
--   requested_at   = fact_load.requested_at
--   loaded_at      = fact_load.loaded_at
--   records        Records (count): Records in the snapshot.
--   rejected       Rejected (count): Records without an id, and lines that are not records.

with listing as (
    select
        s.*,
        row_number() over (
            partition by source, kind, zone_id
            order by requested_at desc, snapshot_id desc
        ) as newest
    from core.snapshot as s
)

select
    snapshot_id,
    source,
    nullif(kind, '') as kind,
    group_id,
    zone_id,
    requested_at,
    loaded_at,
    records,
    rejected
from listing
where zone_id is null or newest = 1
