-- Each topic was collected within the time that VENUE_FRESHNESS allows: history for every group and kind, the others by
-- their newest response, and devices and campaigns by that of each group that still has zones.
-- Severity: warn

with limits as (
    select
        substr(name, length('fresh_minutes_') + 1) as topic,
        cast(value as bigint) as minutes
    from core.build_setting
    where name like 'fresh_minutes_%'
),

collected as (
    select
        'history' as topic,
        cast(null as bigint) as group_id,
        data_as_of as requested_at
    from mart.mart_info
    union all
    select
        s.source as topic,
        s.group_id,
        max(s.requested_at) as requested_at
    from mart.fact_snapshot as s
    where s.source in ('devices', 'campaigns') and s.group_id in (select b.group_id from mart.bridge_group_zone as b)
    group by s.source, s.group_id
    union all
    select
        case when s.source in ('notices', 'components') then 'status' else s.source end as topic,
        cast(null as bigint) as group_id,
        max(s.requested_at) as requested_at
    from mart.fact_snapshot as s
    where s.source in ('assets', 'notices', 'components') or (s.source = 'campaigns' and s.group_id is null)
    group by 1
)

select
    c.topic,
    c.group_id,
    c.requested_at,
    l.minutes as allowed_minutes,
    i.built_at
from collected as c
inner join limits as l on l.topic = c.topic
cross join mart.mart_info as i
where i.built_at > cast(c.requested_at + l.minutes * interval '1' minute as timestamp(6))
