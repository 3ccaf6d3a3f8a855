-- The outages that overlap the period. Their start and end are not clipped to it, but down_seconds is.
--
-- Reads: bridge_outage_notice, chosen_zone, dim_location, dim_notice, fact_outage, fact_zone_uptime, p
-- Attributes: zone
-- Columns:
--   zone_id         = dim_zone.zone_id
--   zone_name       = dim_zone.zone_name
--   location_name   = dim_location.location_name
--   device_id       = dim_device.device_id
--   started_at      = fact_outage.started_at
--   ended_at        = fact_outage.ended_at
--   seen_up_at      = fact_outage.seen_up_at
--   down_seconds    = fact_outage.down_seconds: Known downtime within the period.
--   is_open         = fact_outage.is_open
--   planned         Planned (yes or no): Whether announced maintenance overlaps the outage.
--   notices         Notices (text): Service notices that overlap the outage.

with -- The zone's local days in the period. Every outage is within the known days of its zone.
zone_period as (
    select
        f.zone_id,
        min(f.start_at) as from_at,
        max(f.end_at) as until_at
    from p
    inner join fact_zone_uptime as f on f.date between p.date_from and p.date_to
    group by f.zone_id
),

outage as (
    select
        o.*,
        cast(o.started_at + o.down_seconds * interval '1' second as timestamp(6)) as known_until_at,
        z.from_at,
        z.until_at
    from fact_outage as o
    inner join zone_period as z on z.zone_id = o.zone_id
),

overlapping as (
    select
        outage_key,
        device_id,
        zone_id,
        started_at,
        ended_at,
        seen_up_at,
        is_open,
        date_diff(
            'second',
            case when started_at < from_at then from_at else started_at end,
            case when known_until_at > until_at then until_at else known_until_at end
        ) as down_seconds
    from outage
    where started_at < until_at and known_until_at > from_at
),

-- Simultaneous notices, the first five by number.
ranked_notice as (
    select
        b.outage_key,
        n.notice_id,
        n.type,
        row_number() over (partition by b.outage_key order by n.notice_id) as place,
        count(*) over (partition by b.outage_key) as notices
    from bridge_outage_notice as b
    inner join dim_notice as n on n.notice_id = b.notice_id
),

outage_notice as (
    select
        outage_key,
        bool_or(type = 'planned') as is_planned,
        max(case when place = 1 then cast(notice_id as varchar) end)
        || coalesce(max(case when place = 2 then ', ' || cast(notice_id as varchar) end), '')
        || coalesce(max(case when place = 3 then ', ' || cast(notice_id as varchar) end), '')
        || coalesce(max(case when place = 4 then ', ' || cast(notice_id as varchar) end), '')
        || coalesce(max(case when place = 5 then ', ' || cast(notice_id as varchar) end), '')
        || case when max(notices) > 5 then ', and ' || cast(max(notices) - 5 as varchar) || ' more' else '' end
            as notices
    from ranked_notice
    group by outage_key
),

ranked as (
    select
        o.*,
        z.zone_name,
        z.location_id,
        row_number() over (order by o.down_seconds desc, o.started_at, o.device_id) as place
    from overlapping as o
    inner join chosen_zone as z on z.zone_id = o.zone_id
    cross join p
    where p.device_ids = '' or position(',' || cast(o.device_id as varchar) || ',' in p.device_ids) > 0
)

select
    r.zone_id,
    r.zone_name,
    l.location_name,
    r.device_id,
    r.started_at,
    r.ended_at,
    r.seen_up_at,
    r.down_seconds,
    r.is_open,
    coalesce(n.is_planned, false) as planned,
    n.notices
from p
inner join ranked as r on p.top_rows is null or r.place <= p.top_rows
left join dim_location as l on l.location_id = r.location_id
left join outage_notice as n on n.outage_key = r.outage_key
order by case when p.top_rows is not null then r.place end, r.started_at, r.zone_id, r.device_id
