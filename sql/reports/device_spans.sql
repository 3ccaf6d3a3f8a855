-- Spans in which a device was up, down, unknown or silent, and its checks, which begin and end at the same
-- instant.

with quiet as (
    select
        zone_id,
        from_at,
        cast(from_at + quiet_seconds * interval '1' second as timestamp(6)) as until_at
    from fact_quiet
),

span as (
    select
        f.device_id,
        f.state,
        f.from_at as started_at,
        f.until_at as ended_at
    from fact_device_state as f
    union all
    select
        f.device_id,
        'silent' as state,
        case when f.from_at > q.from_at then f.from_at else q.from_at end as started_at,
        case when f.until_at < q.until_at then f.until_at else q.until_at end as ended_at
    from fact_device_state as f
    inner join quiet as q on q.zone_id = f.zone_id and q.from_at < f.until_at and q.until_at > f.from_at
    where f.state = 'up'
    union all
    select distinct
        d.device_id,
        'check' as state,
        s.requested_at as started_at,
        s.requested_at as ended_at
    from dim_device as d
    inner join bridge_group_zone as b on b.zone_id = d.zone_id
    inner join fact_snapshot as s on s.group_id = b.group_id and s.source = 'devices'
)

select
    s.state,
    s.started_at,
    s.ended_at
from span as s
where
    s.device_id in ({{devices}})
    -- Extends the period by a day at each end, since its dates are local.
    and s.ended_at >= cast(cast({{from}} as timestamp(6)) - interval '1' day as timestamp(6))
    and s.started_at < cast(cast({{to}} as timestamp(6)) + interval '2' day as timestamp(6))
order by
    s.state,
    s.started_at
