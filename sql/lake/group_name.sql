-- Names of groups from the reference files of all machines. If names differ, the file that was applied last wins.
--
-- Reads: lake.group_name, lake.reference_file

with ranked as (
    select
        s.group_id,
        s.group_name,
        row_number() over (partition by s.group_id order by f.applied_at desc nulls last, s.machine) as newest
    from lake.group_name as s
    left join lake.reference_file as f on f.machine = s.machine and f.name = 'group_names.csv'
)

select
    group_id,
    group_name
from ranked
where newest = 1
