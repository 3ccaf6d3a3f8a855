-- Attributes from the reference files of all machines. If several machines have entries for the same subject, only the
-- file that was applied last is used, because date ranges from different files could overlap.
--
-- Reads: lake.attribute, lake.reference_file

with applied as (
    select distinct
        a.machine,
        a.subject,
        f.applied_at
    from lake.attribute as a
    left join lake.reference_file as f on f.machine = a.machine and f.name = a.subject || '_attributes.csv'
),

ranked as (
    select
        machine,
        subject,
        row_number() over (partition by subject order by applied_at desc nulls last, machine) as newest
    from applied
)

select
    a.subject,
    a.subject_key,
    a.name,
    a.value,
    a.valid_from,
    a.valid_to
from lake.attribute as a
inner join ranked as r on r.machine = a.machine and r.subject = a.subject
where r.newest = 1
