-- Kinds that zones play, from the reference files of all machines. If they differ, all lines of the zone come from the
-- file applied last.
--
-- Reads: lake.reference_file, lake.zone_kind

with zone as (
    select distinct
        machine,
        zone_id
    from lake.zone_kind
),

ranked as (
    select
        z.machine,
        z.zone_id,
        row_number() over (partition by z.zone_id order by f.applied_at desc nulls last, z.machine) as newest
    from zone as z
    left join lake.reference_file as f on f.machine = z.machine and f.name = 'zone_kinds.csv'
)

select
    k.zone_id,
    k.kind,
    k.valid_from,
    k.valid_to
from lake.zone_kind as k
inner join ranked as r on r.machine = k.machine and r.zone_id = k.zone_id
where r.newest = 1
