-- One row per device that was ever listed, with the data from its latest snapshot, including devices that
-- are no longer listed.
--
-- Grain: device_id
-- Reads: core.device_snapshot, staging.device_counted
-- Built: whole
-- Columns:
--   device_id          Device (id): The service's number for the device.
--   zone_id            = dim_zone.zone_id: The device's zone.
--   platform           Platform (text): Identifier of the player's platform.
--   model              Model (text): Model of the player.
--   firmware           Firmware (text): Version of the player's firmware.
--   version            Version (text): Version of the player's software.
--   first_seen_at      First seen (instant): Instant of the first snapshot that contains it, in UTC.
--   last_seen_at       Last seen (instant): Instant of the last snapshot that contains it, in UTC; earlier than for
--                      other devices if it left the listing.
--   status             Status (text): Device status in the service's words, e.g. online.
--   state              State (text): up, down or unknown, according to its last snapshot alone; replaced if another
--                      device took over its zone.
--   last_online_at     Last online (instant): Instant at which the service last saw it online, in UTC.
--   last_play_at       Last play (instant): Instant of its last play, as reported by the service, in UTC.
--   last_sd_error      Last storage error (text): Text of its storage card's last error; null if it had none.
--   last_sd_error_at   Last storage error at (instant): Instant of that error, in UTC.
--   storage_used_mb    Storage used (megabytes): Used storage.
--   storage_total_mb   Storage (megabytes): Total storage.

with seen as (
    select
        device_id,
        min(requested_at) as first_seen_at,
        max(requested_at) as last_seen_at
    from core.device_snapshot
    group by device_id
),

-- Several groups may have listed a device at the same instant.
ranked as (
    select
        d.*,
        s.first_seen_at,
        row_number() over (
            partition by d.device_id
            order by d.group_id, d.last_online_at desc nulls last, d.status, d.zone_id, d.snapshot_id
        ) as newest
    from core.device_snapshot as d
    inner join seen as s on s.device_id = d.device_id and s.last_seen_at = d.requested_at
)

select
    r.device_id,
    r.zone_id,
    r.platform,
    r.model,
    r.firmware,
    r.version,
    r.first_seen_at,
    r.requested_at as last_seen_at,
    r.status,
    case when c.is_replaced then 'replaced' else c.last_state end as state,
    r.last_online_at,
    r.last_play_at,
    r.last_sd_error,
    r.last_sd_error_at,
    r.storage_used_mb,
    r.storage_total_mb
from ranked as r
inner join staging.device_counted as c on c.device_id = r.device_id
where r.newest = 1
