-- Newest state of each component in the status API, from any machine.
--
-- Reads: lake.component

with ranked as (
    select
        s.*,
        row_number() over (partition by component_id order by seen_at desc, machine) as newest
    from lake.component as s
)

select
    component_id,
    component_name,
    state,
    parent_id,
    updated_at,
    seen_at
from ranked
where newest = 1
