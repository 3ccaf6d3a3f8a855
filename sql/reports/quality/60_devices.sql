-- Devices that reported timestamps later than their listing in the period, because a clock is ahead. If any devices are
-- listed, also zones without a device, zones that play although their device was removed, and devices without history.

with chosen as (
    select
        z.zone_id,
        z.last_play_date,
        'zone ' || cast(z.zone_id as varchar)
        || case when z.zone_name <> 'Zone ' || cast(z.zone_id as varchar) then ' (' || z.zone_name || ')' else '' end
            as zone_text
    from dim_zone as z
    where z.zone_id in ({{zones}})
),

clock as (
    select
        f.device_id,
        f.zone_id,
        f.date_time,
        max(f.seconds_ahead) as seconds_ahead,
        cast(sum(f.snapshots) as bigint) as snapshots,
        max(f.date) as last_date
    from fact_clock_ahead as f
    where f.date between {{from}} and {{to}}
    group by f.device_id, f.zone_id, f.date_time
),

-- Zones that once had a device, wherever it is now.
known as (
    select distinct zone_id
    from fact_device_day
),

zone_device as (
    select
        zone_id,
        max(last_seen_at) as last_seen_at
    from dim_device
    group by zone_id
),

finding as (
    select
        1 as position,
        c.device_id as rank,
        'clocks' as section,
        'device ' || cast(c.device_id as varchar) || ', ' || z.zone_text || ': ' || c.date_time || '_date' as subject,
        cast(c.seconds_ahead as varchar) as value,
        'maximum seconds after the listing; in ' || cast(c.snapshots as varchar)
        || case when c.snapshots = 1 then ' listing' else ' listings' end
        || ', the last on ' || cast(c.last_date as varchar) as note
    from clock as c
    inner join chosen as z on z.zone_id = c.zone_id
    union all
    select
        2 as position,
        z.zone_id as rank,
        'zones_without_device' as section,
        z.zone_text as subject,
        coalesce(cast(z.last_play_date as varchar), 'never') as value,
        case
            when k.zone_id is null then 'date of its last play; no device has ever been listed in it'
            else 'date of its last play; its device has since been listed in another zone'
        end as note
    from chosen as z
    left join dim_device as d on d.zone_id = z.zone_id
    left join known as k on k.zone_id = z.zone_id
    where d.zone_id is null and exists (select 1 from dim_device)
    union all
    -- Zones that played more than a day after their device's last listing. A closed zone stops playing within a day of
    -- that listing, by any clock.
    select
        2 as position,
        z.zone_id as rank,
        'zones_without_device' as section,
        z.zone_text as subject,
        cast(z.last_play_date as varchar) as value,
        'date of its last play; its device was last listed on ' || cast(cast(d.last_seen_at as date) as varchar) as note
    from chosen as z
    inner join zone_device as d on d.zone_id = z.zone_id
    inner join ({{listed_zone}}) as l on l.zone_id = z.zone_id and l.requested_at > d.last_seen_at
    where z.last_play_date > cast(cast(d.last_seen_at as date) + interval '1' day as date)
    union all
    select
        3 as position,
        d.device_id as rank,
        'devices_without_history' as section,
        'device ' || cast(d.device_id as varchar) || ', ' || z.zone_text as subject,
        coalesce(d.status, 'no status') as value,
        'its zone has never played anything' as note
    from dim_device as d
    inner join chosen as z on z.zone_id = d.zone_id
    where z.last_play_date is null
)

select
    section,
    subject,
    value,
    note
from finding
order by position, rank, subject
