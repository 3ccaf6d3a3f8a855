-- Days on which plays changed, and those beside them, since snapshots of devices began.
-- Reads core.dirty_day, staging.device_run.
with beginning as (
    select cast(cast(min(from_at) as date) - interval '2' day as date) as date
    from staging.device_run
)

select distinct
    '' as kind,
    cast(d.date + k.days * interval '1' day as date) as date
from core.dirty_day as d
inner join beginning as b on d.date >= b.date
cross join (values (-1), (0), (1)) as k (days)
