-- Named time zones of zones from the reference files of all machines. If time zones differ, the file that was applied
-- last wins.
--
-- Reads: lake.reference_file, lake.zone_time_zone

with ranked as (
    select
        s.zone_id,
        s.time_zone,
        row_number() over (partition by s.zone_id order by f.applied_at desc nulls last, s.machine) as newest
    from lake.zone_time_zone as s
    left join lake.reference_file as f on f.machine = s.machine and f.name = 'zone_time_zones.csv'
)

select
    zone_id,
    time_zone
from ranked
where newest = 1
