-- Planned notices that overlap downtime in the period, which availability without planned work excludes. If grouped by
-- device, platform, model or firmware, the downtime of devices counts, otherwise the downtime of zones.
--
-- For: uptime
-- Reads: chosen_zone, dim_notice, fact_device_day, fact_device_state, fact_zone_uptime, p
-- Columns:
--   notice_id   = dim_notice.notice_id
--   subject     = dim_notice.subject
--   began_at    = dim_notice.began_at
--   ended_at    = dim_notice.ended_at

with down as (
    select distinct
        case when s.from_at < z.start_at then z.start_at else s.from_at end as from_at,
        case when s.until_at > z.end_at then z.end_at else s.until_at end as until_at
    from p
    inner join fact_device_day as f on f.date between p.date_from and p.date_to and f.planned_down_seconds > 0
    inner join fact_zone_uptime as z on z.zone_id = f.zone_id and z.date = f.date
    inner join chosen_zone as c on c.zone_id = f.zone_id
    inner join fact_device_state as s
        on s.device_id = f.device_id
        and s.zone_id = f.zone_id
        and s.state = 'down'
        and s.from_at < z.end_at
        and s.until_at > z.start_at
    where
        (
            p.by_device or p.by_platform or p.by_model or p.by_firmware or p.device_ids <> ''
            or z.planned_down_seconds > 0
        )
        and (p.device_ids = '' or position(',' || cast(f.device_id as varchar) || ',' in p.device_ids) > 0)
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
