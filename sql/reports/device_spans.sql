-- Spans in which a device was up, down, unknown or silent, and its checks, which begin and end at the same
-- instant.

with span as (
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
        f.from_at as started_at,
        cast(f.from_at + f.silent_seconds * interval '1' second as timestamp(6)) as ended_at
    from fact_silence as f
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
