-- Dayparts from the reference files of all machines. If several machines have a file with entries, the one applied last
-- wins as a whole: dayparts of different files could overlap.
--
-- Reads: lake.daypart, lake.reference_file

with applied as (
    select distinct
        a.machine,
        f.applied_at
    from lake.daypart as a
    left join lake.reference_file as f on f.machine = a.machine and f.name = 'dayparts.csv'
),

ranked as (
    select
        machine,
        row_number() over (order by applied_at desc nulls last, machine) as newest
    from applied
)

select
    a.name,
    a.from_secs,
    a.to_secs
from lake.daypart as a
inner join ranked as r on r.machine = a.machine
where r.newest = 1
