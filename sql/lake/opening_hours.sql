-- Opening hours of zones from the reference files of all machines. If several machines have hours for a zone, all of
-- them come from the file that was applied last.
--
-- Reads: lake.opening_hours, lake.reference_file

with zone as (
    select distinct
        machine,
        zone_id
    from lake.opening_hours
),

ranked as (
    select
        z.machine,
        z.zone_id,
        row_number() over (partition by z.zone_id order by f.applied_at desc nulls last, z.machine) as newest
    from zone as z
    left join lake.reference_file as f on f.machine = z.machine and f.name = 'opening_hours.csv'
)

select
    o.zone_id,
    o.day_of_week,
    o.opens_secs,
    o.closes_secs
from lake.opening_hours as o
inner join ranked as r on r.machine = o.machine and r.zone_id = o.zone_id
where r.newest = 1
