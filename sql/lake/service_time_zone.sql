-- The service's time zone, from the machine that listed devices last.
--
-- Reads: lake.service_time_zone, lake.snapshot

with newest_listing as (
    select
        machine,
        max(requested_at) as requested_at
    from lake.snapshot
    where source = 'devices'
    group by machine
),

ranked as (
    select
        s.time_zone,
        row_number() over (order by a.requested_at desc nulls last, s.machine) as newest
    from lake.service_time_zone as s
    left join newest_listing as a on a.machine = s.machine
)

select time_zone
from ranked
where newest = 1
