-- Each topic was collected within the time that VENUE_FRESHNESS allows: history for every group and kind, listings of
-- each collected group or any of its zones, and both listings of the status API.
-- Severity: warn

with limits as (
    select
        substr(name, length('fresh_minutes_') + 1) as topic,
        cast(value as bigint) as minutes
    from core.build_setting
    where name like 'fresh_minutes_%'
),

listing as (
    select
        s.source,
        s.kind,
        s.group_id,
        s.requested_at
    from mart.fact_snapshot as s
    where s.group_id is not null
    union all
    select
        s.source,
        s.kind,
        b.group_id,
        s.requested_at
    from mart.fact_snapshot as s
    inner join mart.bridge_group_zone as b on b.zone_id = s.zone_id
),

collected as (
    select
        'history' as topic,
        cast(null as bigint) as group_id,
        data_as_of as requested_at
    from mart.mart_info
    union all
    select
        l.source as topic,
        l.group_id,
        max(l.requested_at) as requested_at
    from listing as l
    where
        l.group_id in (
            select b.group_id
            from mart.bridge_group_zone as b
            union all
            select f.group_id
            from mart.fact_freshness as f
        )
    group by l.source, l.kind, l.group_id
    union all
    select
        'status' as topic,
        cast(null as bigint) as group_id,
        max(s.requested_at) as requested_at
    from mart.fact_snapshot as s
    where s.source in ('notices', 'components')
    group by s.source
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
