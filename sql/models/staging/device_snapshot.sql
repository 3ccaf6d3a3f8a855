-- One row per device and second: the device's state in a listing. If several responses fall into one second, the one
-- for the lowest group id is used.
--
-- Grain: device_id, seen_at
-- Reads: core.build_setting, core.device_snapshot
-- Built: whole
-- Columns:
--   device_id         The device.
--   seen_at           Request time, in UTC, to the second.
--   zone_id           The device's zone at the time.
--   state             up: its status is online; down: its status is a configured one; unknown: any other.
--   last_online_at    When the service last saw it online, in UTC, to the second.
--   max_gap_seconds   Longest time for which a state is assumed to last since the previous snapshot.
--   bandwidth_kbps    Bandwidth in kilobits per second.
--   platform          Identifier of the player's platform.
--   model             Model of the player.
--   firmware          Version of its firmware.

with setting as (
    select coalesce(max(value), ',offline,') as down_statuses
    from core.build_setting
    where name = 'down_statuses'
),

listed as (
    select
        d.device_id,
        cast(date_trunc('second', d.requested_at) as timestamp(6)) as seen_at,
        d.zone_id,
        d.status,
        case
            when lower(trim(d.status)) = 'online' then 'up'
            when position(',' || lower(trim(d.status)) || ',' in s.down_statuses) > 0 then 'down'
            else 'unknown'
        end as state,
        cast(date_trunc('second', d.last_online_at) as timestamp(6)) as last_online_at,
        d.max_gap_seconds,
        d.bandwidth_kbps,
        d.platform,
        d.model,
        d.firmware,
        d.group_id,
        d.snapshot_id
    from core.device_snapshot as d
    cross join setting as s
),

ranked as (
    select
        listed.*,
        row_number() over (
            partition by device_id, seen_at
            order by group_id, last_online_at desc nulls last, status, zone_id, snapshot_id
        ) as place
    from listed
)

select
    device_id,
    seen_at,
    zone_id,
    state,
    last_online_at,
    max_gap_seconds,
    bandwidth_kbps,
    platform,
    model,
    firmware
from ranked
where place = 1
