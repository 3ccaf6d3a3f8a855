-- A zone's uptime and counted time are at least those of each of its devices and at most their sum; with one device,
-- they are equal.
-- Severity: error

with device as (
    select
        f.zone_id,
        f.date,
        max(f.up_seconds) as longest_up_seconds,
        cast(sum(f.up_seconds) as bigint) as up_seconds,
        max(f.up_seconds + f.down_seconds + f.unknown_seconds) as longest_seconds,
        cast(sum(f.up_seconds + f.down_seconds + f.unknown_seconds) as bigint) as seconds
    from mart.fact_device_day as f
    inner join core.checked_day as d on d.date = f.date
    group by f.zone_id, f.date
),

zone as (
    select
        f.zone_id,
        f.date,
        f.up_seconds,
        f.up_seconds + f.down_seconds + f.unknown_seconds as seconds
    from mart.fact_zone_uptime as f
    inner join core.checked_day as d on d.date = f.date
)

select
    coalesce(z.zone_id, d.zone_id) as zone_id,
    coalesce(z.date, d.date) as date,
    z.up_seconds,
    d.longest_up_seconds,
    d.up_seconds as device_up_seconds,
    z.seconds,
    d.seconds as device_seconds
from zone as z
full join device as d on d.zone_id = z.zone_id and d.date = z.date
where
    z.zone_id is null
    or d.zone_id is null
    or z.up_seconds not between d.longest_up_seconds and d.up_seconds
    or z.seconds not between d.longest_seconds and d.seconds
