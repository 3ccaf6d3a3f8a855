-- One row per device: the span in which it is counted, from its first to its last snapshot. A device is replaced if it
-- is not up and another device of its zone was online later; it is counted only until it was last online.
--
-- Grain: device_id
-- Reads: staging.device_snapshot
-- Built: whole
-- Columns:
--   device_id       The device.
--   counted_from    First snapshot, in UTC.
--   counted_until   Last snapshot; for a replaced device, when it was last online, but not before the first snapshot.
--   is_replaced     Another device took over its zone.
--   last_state      up, down or unknown, according to its last snapshot.

with snapshot as (
    select
        s.*,
        case
            when state = 'up' or last_online_at > seen_at then seen_at
            else last_online_at
        end as online_at,
        row_number() over (partition by device_id order by seen_at desc) as newest
    from staging.device_snapshot as s
),

device as (
    select
        device_id,
        min(seen_at) as first_seen_at,
        max(seen_at) as last_seen_at,
        max(online_at) as online_at,
        max(case when newest = 1 then zone_id end) as zone_id,
        max(case when newest = 1 then state end) as state
    from snapshot
    group by device_id
),

zone_online as (
    select
        zone_id,
        max(online_at) as online_at
    from device
    group by zone_id
),

rated as (
    select
        d.device_id,
        d.first_seen_at,
        d.last_seen_at,
        d.online_at,
        d.state,
        d.state <> 'up' and z.online_at is not null and (d.online_at is null or d.online_at < z.online_at) as is_replaced
    from device as d
    inner join zone_online as z on z.zone_id = d.zone_id
)

select
    device_id,
    first_seen_at as counted_from,
    case
        when not is_replaced then last_seen_at
        when online_at > first_seen_at then online_at
        else first_seen_at
    end as counted_until,
    is_replaced,
    state as last_state
from rated
