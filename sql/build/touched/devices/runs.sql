-- Days on which a device's state changed since the last build. A snapshot up to 10 minutes after midnight may decide
-- whether the device was silent on the day before, and one up to 15 minutes after midnight, whether an outage began. A
-- snapshot applies to the zone in which the device was at that time. That zone's local date may differ, so the days of
-- all the device's zones are included.
--
-- Reads: core.built_device_run, core.zone_day, staging.device_run
with differing as (
    select
        coalesce(n.device_id, b.device_id) as device_id,
        case
            when n.until_at is not null and b.until_at is not null
                then case when n.until_at < b.until_at then n.until_at else b.until_at end
            else coalesce(n.from_at, b.from_at)
        end as from_at,
        case
            when n.until_at > b.until_at or b.until_at is null then n.until_at
            else b.until_at
        end as until_at
    from staging.device_run as n
    full join core.built_device_run as b
        on b.device_id = n.device_id and b.zone_id = n.zone_id and b.state = n.state and b.from_at = n.from_at
    where n.until_at is distinct from b.until_at
),

device_zone as (
    select device_id, zone_id
    from staging.device_run
    union
    select device_id, zone_id
    from core.built_device_run
)

select distinct
    '' as kind,
    z.date
from differing as d
inner join device_zone as o on o.device_id = d.device_id
inner join core.zone_day as z
    on z.zone_id = o.zone_id
    and z.start_at <= cast(d.until_at + interval '15' minute as timestamp(6))
    and z.end_at >= cast(d.from_at - interval '15' minute as timestamp(6))
