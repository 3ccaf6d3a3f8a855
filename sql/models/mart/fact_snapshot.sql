-- One row per listing that was taken down: what the service said of devices, campaigns, assets, notices or components
-- at one instant. Of listings of zones, of which there are thousands a day, the newest of each alone.
--
-- Grain: snapshot_id
-- Reads: core.snapshot
-- Built: whole
-- Columns:
--   snapshot_id    Snapshot (id): Number of the snapshot, in the order of loading.
--   source         Source (text): devices, campaigns, assets, notices or components.
--   kind           = dim_kind.kind: signage or messaging; null where a listing is of no kind.
--   group_id       = dim_group.group_id: Group that was asked for; null for listings of zones and of the status API.
--   zone_id        = dim_zone.zone_id: Zone that was asked for; null for others.
--   requested_at   = fact_load.requested_at
--   loaded_at      = fact_load.loaded_at
--   records        Records (count): Records that it held.
--   rejected       Rejected (count): Records without an id, and lines that are no record.

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
