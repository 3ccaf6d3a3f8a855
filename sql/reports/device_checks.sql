-- One row with the number of the chosen zones' devices, and of those checked more than once.

with checked as (
    select
        d.device_id,
        d.first_seen_at < d.last_seen_at as is_compared
    from dim_device as d
    where d.zone_id in ({{zones}})
    union all
    -- Devices that have since moved to another zone.
    select
        f.device_id,
        true as is_compared
    from fact_device_day as f
    where f.zone_id in ({{zones}})
)

select
    count(distinct device_id) as devices,
    count(distinct case when is_compared then device_id end) as compared
from checked
