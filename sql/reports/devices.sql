-- The devices that are listed, as they were seen last: those that are down first, longest first, then those whose zones
-- are silent. A device is listed that the newest devices listing of one of its zone's groups has; one whose zone is in
-- no group is shown as well. How long a zone is silent is its open time since its last play, as far as history is known.
--
-- Reads: bridge_group_zone, chosen_zone, dim_device, dim_location, fact_outage, fact_play, fact_snapshot,
--   fact_zone_opening, mart_info, p
-- Columns:
--   zone_id              = dim_zone.zone_id
--   zone_name            = dim_zone.zone_name
--   location_name        = dim_location.location_name
--   device_id            = dim_device.device_id
--   status               = dim_device.status
--   down_for_seconds     Down for (seconds): How long the outage has lasted that had not ended when the device was
--                        listed last.
--   silent_for_seconds   Silent for (seconds): Open time since the zone's last play. Note: Empty where nothing tells
--                        when the zone is open.
--   last_online_at       = dim_device.last_online_at
--   last_play_at         = dim_device.last_play_at
--   last_sd_error        = dim_device.last_sd_error
--   storage_used_share   Storage used (share): Storage that is used ÷ storage that there is.
--   firmware             = dim_device.firmware
--   version              = dim_device.version
-- Facts:
--   devices_down                 Down now (count): Devices in an outage of 15 minutes or more that had not ended when
--                                they were looked at last.
--   devices_silent               Up but silent (count): Not down, yet no play in its zone for over 10 minutes of open
--                                time.
--   devices_with_storage_error   With a storage error (count): Devices that have reported an error of their storage
--                                card, ever.

with newest_listing as (
    select
        group_id,
        max(requested_at) as requested_at
    from fact_snapshot
    where source = 'devices'
    group by group_id
),

-- The oldest of the newest listings of its groups: what was seen since then is listed.
zone_listed as (
    select
        b.zone_id,
        min(n.requested_at) as requested_at
    from bridge_group_zone as b
    inner join newest_listing as n on n.group_id = b.group_id
    group by b.zone_id
),

last_play as (
    select
        f.zone_id,
        max(cast(f.played_at + f.duration_secs * interval '1' second as timestamp(6))) as ended_at
    from fact_play as f
    inner join chosen_zone as z on z.zone_id = f.zone_id and z.last_play_date = f.date
    group by f.zone_id
),

open_since as (
    select
        o.zone_id,
        case when l.ended_at > o.opens_at then l.ended_at else o.opens_at end as from_at,
        case when i.data_as_of < o.closes_at then i.data_as_of else o.closes_at end as until_at
    from fact_zone_opening as o
    cross join mart_info as i
    left join last_play as l on l.zone_id = o.zone_id
),

-- Of others nobody knows when they are open.
zone_with_hours as (
    select distinct zone_id
    from fact_zone_opening
),

silence as (
    select
        zone_id,
        cast(sum(date_diff('second', from_at, until_at)) as bigint) as silent_for_seconds
    from open_since
    where from_at < until_at
    group by zone_id
),

open_outage as (
    select
        device_id,
        max(down_seconds) as down_for_seconds
    from fact_outage
    where is_open
    group by device_id
),

ranked as (
    select
        z.zone_id,
        z.zone_name,
        n.location_name,
        d.device_id,
        d.status,
        o.down_for_seconds,
        case when h.zone_id is not null then coalesce(s.silent_for_seconds, 0) end as silent_for_seconds,
        d.last_online_at,
        d.last_play_at,
        d.last_sd_error,
        cast(d.storage_used_mb as double) / nullif(d.storage_total_mb, 0) as storage_used_share,
        d.firmware,
        d.version,
        row_number() over (
            order by
                coalesce(o.down_for_seconds, 0) desc,
                coalesce(s.silent_for_seconds, 0) desc,
                z.zone_id,
                d.device_id
        ) as place
    from dim_device as d
    inner join chosen_zone as z on z.zone_id = d.zone_id
    left join zone_listed as k on k.zone_id = d.zone_id
    left join dim_location as n on n.location_id = z.location_id
    left join open_outage as o on o.device_id = d.device_id
    left join zone_with_hours as h on h.zone_id = d.zone_id
    left join silence as s on s.zone_id = d.zone_id
    where k.requested_at is null or d.last_seen_at >= k.requested_at
)

select
    r.zone_id,
    r.zone_name,
    r.location_name,
    r.device_id,
    r.status,
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
