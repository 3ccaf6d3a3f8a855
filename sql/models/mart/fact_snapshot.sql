-- One row per listing that was taken down: what the service said of devices, campaigns, assets, notices or components
-- at one instant. Of listings of zones, of which there are thousands a day, the newest of each alone.
--
-- Grain: snapshot_id
-- Reads: core.snapshot
-- Built: whole
-- Columns:
--   snapshot_id    Number of the snapshot, in the order of loading.
--   source         devices, campaigns, assets, notices or components.
--   kind           signage or messaging (dim_kind); null where a listing is of no kind.
--   group_id       Group that was asked for (dim_group); null for listings of zones and of the status API.
--   zone_id        Zone that was asked for (dim_zone); null for others.
--   requested_at   Instant at which the service was asked, in UTC.
--   loaded_at      Instant at which it was loaded, in UTC.
--   records        Records that it held.
--   rejected       Records without an id, and lines that are no record.

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
