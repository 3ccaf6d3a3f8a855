-- The listed devices in the requested zones with their state at the time of the data: one row per device. A device
-- counts as listed if it is in the newest devices listing of one of its zone's groups, or if its zone has no group. A
-- zone's silence is its open time since its last play, as far as history is known.
--
-- Reads: chosen_zone, dim_device, dim_location, fact_outage, fact_play, fact_zone_opening, listed_zone, mart_info, p

with -- Plays on the last two dates, and plays that last for days: any of these may be the last to end.
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
)

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
