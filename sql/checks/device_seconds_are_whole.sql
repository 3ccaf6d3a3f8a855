-- For a device that stayed in one zone, the seconds of each whole local day add up to the length of the day: 23 or 25
-- hours if the zone's clock changes.
-- Severity: error

with settled as (
    select
        device_id,
        min(zone_id) as zone_id
    from staging.device_snapshot
    group by device_id
    having min(zone_id) = max(zone_id)
),

whole_day as (
    select
        c.device_id,
        z.zone_id,
        z.date,
        date_diff('second', z.start_at, z.end_at) as day_seconds
    from core.checked_day as k
    inner join core.zone_day as z on z.date = k.date
    inner join settled as s on s.zone_id = z.zone_id
    inner join staging.device_counted as c
        on c.device_id = s.device_id and c.counted_from <= z.start_at and c.counted_until >= z.end_at
    -- Excludes dates that the zone skipped because its clock went forward by a day.
    where z.start_at < z.end_at
)

select
    w.device_id,
    w.zone_id,
    w.date,
    w.day_seconds,
    f.up_seconds + f.down_seconds + f.unknown_seconds as counted_seconds
from whole_day as w
left join mart.fact_device_day as f on f.device_id = w.device_id and f.zone_id = w.zone_id and f.date = w.date
where f.date is null or f.up_seconds + f.down_seconds + f.unknown_seconds <> w.day_seconds
