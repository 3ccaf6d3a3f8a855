-- The silences that overlap the period: a device in the zone was up and the zone open, but nothing played for over ten
-- minutes. Their start and end are not clipped to the period, but silent_seconds is. A silence continues over midnight
-- while the zone is open.
--
-- Reads: chosen_zone, dim_device, dim_location, fact_silence, fact_zone_uptime, listed_zone, mart_info, p
-- Attributes: zone
-- Columns:
--   zone_id          = dim_zone.zone_id
--   zone_name        = dim_zone.zone_name
--   location_name    = dim_location.location_name
--   started_at       Began (instant): Start of the silence, in UTC.
--   ended_at         Ended (instant): End of the silence, in UTC; blank while ongoing. Note: It also ends when the zone
--                    closes, or when its device goes down or its state becomes unknown.
--   silent_seconds   = fact_device_day.silent_seconds: Silence within the period. Note: Of a zone with several devices,
--                    time in which any of them was silent counts once.
--   is_open          Still silent (yes or no): Whether the silence was ongoing at the end of the data: the zone's last
--                    check or the data as of, whichever is earlier.

with -- The zone's local days in the period. Every silence is within the known days of its zone.
zone_period as (
    select
        f.zone_id,
        min(f.start_at) as from_at,
        max(f.end_at) as until_at
    from p
    inner join fact_zone_uptime as f on f.date between p.date_from and p.date_to
    group by f.zone_id
),

part as (
    select
        f.zone_id,
        f.from_at,
        cast(f.from_at + f.silent_seconds * interval '1' second as timestamp(6)) as until_at
    from fact_silence as f
    inner join zone_period as z on z.zone_id = f.zone_id
),

-- Joins parts that adjoin or overlap, because a part ends with its day or opening, or another device has its own part.
reached as (
    select
        part.*,
        max(until_at) over (
            partition by zone_id order by from_at, until_at
            rows between unbounded preceding and 1 preceding
        ) as reached_at
    from part
),

numbered as (
    select
        reached.*,
        count(case when reached_at is null or from_at > reached_at then 1 end) over (
            partition by zone_id order by from_at, until_at
            rows between unbounded preceding and current row
        ) as silence_no
    from reached
),

silence as (
    select
        zone_id,
        min(from_at) as started_at,
        max(until_at) as ended_at
    from numbered
    group by zone_id, silence_no
),

-- A zone whose devices left the listing cannot be silent now.
known as (
    select
        d.zone_id,
        cast(date_trunc(
            'second',
            case when max(d.last_seen_at) < min(i.data_as_of) then max(d.last_seen_at) else min(i.data_as_of) end
        ) as timestamp(6)) as until_at
    from dim_device as d
    inner join listed_zone as l on l.zone_id = d.zone_id and l.requested_at <= d.last_seen_at
    cross join mart_info as i
    group by d.zone_id
),

ranked as (
    select
        c.zone_id,
        c.zone_name,
        c.location_id,
        s.started_at,
        s.ended_at,
        k.until_at is not null and s.ended_at >= k.until_at as is_open,
        date_diff(
            'second',
            case when s.started_at < z.from_at then z.from_at else s.started_at end,
            case when s.ended_at > z.until_at then z.until_at else s.ended_at end
        ) as silent_seconds
    from silence as s
    inner join zone_period as z
        on z.zone_id = s.zone_id
        and s.started_at < z.until_at
        and s.ended_at > z.from_at
    inner join chosen_zone as c on c.zone_id = s.zone_id
    left join known as k on k.zone_id = s.zone_id
),

placed as (
    select
        ranked.*,
        row_number() over (order by silent_seconds desc, started_at, zone_id) as place
    from ranked
)

select
    r.zone_id,
    r.zone_name,
    l.location_name,
    r.started_at,
    case when not r.is_open then r.ended_at end as ended_at,
    r.silent_seconds,
    r.is_open
from p
inner join placed as r on p.top_rows is null or r.place <= p.top_rows
left join dim_location as l on l.location_id = r.location_id
order by case when p.top_rows is not null then r.place end, r.started_at, r.zone_id
