-- The outages in device days match fact_outage. The seconds of each outage match its start and end, and no check found
-- the device up before its end.
-- Severity: error

with counted as (
    select
        f.device_id,
        f.zone_id,
        f.date,
        f.outages
    from mart.fact_device_day as f
    inner join core.checked_day as d on d.date = f.date
),

listed as (
    select
        o.device_id,
        o.zone_id,
        o.date,
        count(*) as outages
    from mart.fact_outage as o
    inner join core.checked_day as d on d.date = o.date
    group by o.device_id, o.zone_id, o.date
)

select
    coalesce(c.device_id, l.device_id) as device_id,
    coalesce(c.date, l.date) as date,
    c.outages,
    l.outages as outages_listed,
    cast(null as varchar) as outage_key
from counted as c
full join listed as l on l.device_id = c.device_id and l.zone_id = c.zone_id and l.date = c.date
where coalesce(c.outages, 0) <> coalesce(l.outages, 0)
union all
select
    device_id,
    date,
    cast(null as bigint) as outages,
    cast(null as bigint) as outages_listed,
    outage_key
from mart.fact_outage
where
    down_seconds < 900
    or is_open <> (ended_at is null)
    or (ended_at is not null and date_diff('second', started_at, ended_at) <> down_seconds)
    or (seen_up_at is not null and (is_open or seen_up_at < ended_at))
