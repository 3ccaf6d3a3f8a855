-- Planned notices that overlap downtime in the period. Availability without planned work excludes this downtime. Rows
-- by device, platform, model or firmware measure the downtime of devices; other rows measure that of zones.

with down as (
    select distinct
        case when s.from_at < z.start_at then z.start_at else s.from_at end as from_at,
        case when s.until_at > z.end_at then z.end_at else s.until_at end as until_at
    from fact_device_day as f
    inner join fact_zone_uptime as z on z.zone_id = f.zone_id and z.date = f.date
    inner join fact_device_state as s
        on s.device_id = f.device_id
        and s.zone_id = f.zone_id
        and s.state = 'down'
        and s.from_at < z.end_at
        and s.until_at > z.start_at
    where
        f.date between {{from}} and {{to}}
        and f.planned_down_seconds > 0
        and f.zone_id in ({{zones}})
        and {{of_devices}}
)

select distinct
    n.notice_id,
    n.subject,
    n.began_at,
    n.ended_at
from dim_notice as n
inner join down as d
    on n.began_at < d.until_at
    and coalesce(n.ended_at, timestamp '9999-12-31 00:00:00') > d.from_at
where
    n.type = 'planned'
    and coalesce(n.state, '') <> 'cancelled'
    and coalesce(n.ended_at, timestamp '9999-12-31 00:00:00') > n.began_at
order by n.began_at, n.notice_id
