-- The listed devices with the data from their newest listing: first the devices that are down, longest first, then
-- those in silent zones, in unknown states, and with storage errors. A device counts as listed if it is in the newest
-- devices listing of one of its zone's groups, or if its zone has no group. A zone's silence is its open time since its
-- last play, as far as history is known.
--
-- Reads: chosen_zone, dim_device, dim_location, fact_outage, fact_play, fact_zone_opening, listed_zone, mart_info, p
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

with -- Plays of the day before the last, or lasting for days, may end after those of the last day.
late_play as (
    select
        f.zone_id,
        f.played_at,
        f.duration_secs
    from chosen_zone as z
    cross join (values (0), (1)) as k (days)
    inner join fact_play as f
        on f.zone_id = z.zone_id
        and f.date = cast(z.last_play_date - k.days * interval '1' day as date)
    union all
    select
        zone_id,
        played_at,
        duration_secs
    from fact_play
    where duration_secs > 86400
),

last_play as (
    select
        zone_id,
        max(cast(played_at + duration_secs * interval '1' second as timestamp(6))) as ended_at
    from late_play
    group by zone_id
),

open_since as (
    select
        o.zone_id,
        case when l.ended_at > o.opens_at then l.ended_at else o.opens_at end as from_at,
        case when i.data_as_of >= o.closes_at then o.closes_at else i.data_as_of end as until_at
    from fact_zone_opening as o
    cross join mart_info as i
    left join last_play as l on l.zone_id = o.zone_id
),

-- One row per zone whose opening hours are known.
silence as (
    select
        zone_id,
        cast(coalesce(sum(case when from_at < until_at then date_diff('second', from_at, until_at) end), 0) as bigint)
            as silent_for_seconds
    from open_since
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

-- A device is down since the service last saw it online; if the service does not report that, earlier listings show it.
listed as (
    select
        d.*,
        case
            when d.state <> 'down' then null
            when d.last_online_at > d.last_seen_at then 0
            when d.last_online_at is not null
                then date_diff(
                    'second',
                    cast(date_trunc('second', d.last_online_at) as timestamp(6)),
                    cast(date_trunc('second', d.last_seen_at) as timestamp(6))
                )
            else o.down_for_seconds
        end as down_for_seconds
    from dim_device as d
    left join listed_zone as k on k.zone_id = d.zone_id
    left join open_outage as o on o.device_id = d.device_id
    cross join p
    where
        (k.requested_at is null or d.last_seen_at >= k.requested_at)
        and (p.device_ids = '' or position(',' || cast(d.device_id as varchar) || ',' in p.device_ids) > 0)
),

judged as (
    select
        z.zone_id,
        z.zone_name,
        n.location_name,
        d.device_id,
        d.status,
        case
            when d.state in ('up', 'unknown') and s.silent_for_seconds > 600 then 'silent'
            else d.state
        end as state,
        d.down_for_seconds,
        case when i.data_as_of is not null then s.silent_for_seconds end as silent_for_seconds,
        d.last_online_at,
        d.last_play_at,
        d.last_sd_error,
        cast(d.storage_used_mb as double) / nullif(d.storage_total_mb, 0) as storage_used_share,
        d.firmware,
        d.version
    from listed as d
    inner join chosen_zone as z on z.zone_id = d.zone_id
    left join dim_location as n on n.location_id = z.location_id
    left join silence as s on s.zone_id = d.zone_id
    cross join mart_info as i
),

ranked as (
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
    from judged as j
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
