-- The listed devices with the data from their newest listing: first the devices that are down, longest first, then
-- those in silent zones, in unknown states, and with storage errors. A device counts as listed if it is in the newest
-- devices listing of one of its zone's groups, or if its zone has no group. A zone's silence is its open time since its
-- last play, as far as history is known.
--
-- Reads: device_now, p
-- Attributes: zone
-- Columns:
--   zone_id              = dim_zone.zone_id
--   zone_name            = dim_zone.zone_name
--   location_name        = dim_location.location_name
--   device_id            = dim_device.device_id
--   status               = dim_device.status
--   state                = dim_device.state: down, silent, unknown, up or replaced. Note: One check is enough to
--                        determine it. Silent means not down, but without plays in its zone for over 10 minutes of
--                        open time; replaced means that another device took over its zone.
--   down_for_seconds     Down for (seconds): Time offline as of the last check, for devices that are down.
--   silent_for_seconds   Silent for (seconds): Open time since the zone's last play. Note: Blank if the zone's opening
--                        hours or plays are unknown.
--   last_online_at       = dim_device.last_online_at
--   last_play_at         = dim_device.last_play_at
--   last_sd_error        = dim_device.last_sd_error
--   storage_used_share   Storage used (share): Used storage ÷ total storage.
--   firmware             = dim_device.firmware
--   version              = dim_device.version
-- Facts:
--   devices_down                 Down now (count): Devices that were down at their last check.
--   devices_silent               Silent (count): Not down, but without plays in its zone for over 10 minutes of open
--                                time.
--   devices_with_storage_error   Ever had a storage error (count): Devices that have ever reported a storage card
--                                error, however long ago.

with ranked as (
    select
        j.*,
        row_number() over (
            order by
                case
                    when j.state = 'down' then 1
                    when j.state = 'silent' then 2
                    when j.state = 'unknown' then 3
                    when j.state = 'replaced' then 6
                    when j.last_sd_error is not null then 4
                    else 5
                end,
                coalesce(j.down_for_seconds, 0) desc,
                coalesce(j.silent_for_seconds, 0) desc,
                j.zone_id,
                j.device_id
        ) as place
    from device_now as j
    cross join p
    where p.states = '' or position(',' || j.state || ',' in p.states) > 0
)

select
    r.zone_id,
    r.zone_name,
    r.location_name,
    r.device_id,
    r.status,
    r.state,
    r.down_for_seconds,
    r.silent_for_seconds,
    r.last_online_at,
    r.last_play_at,
    r.last_sd_error,
    r.storage_used_share,
    r.firmware,
    r.version
from p
inner join ranked as r on p.top_rows is null or r.place <= p.top_rows
order by r.place
