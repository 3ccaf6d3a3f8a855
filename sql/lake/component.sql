-- The newest that the status API said of each component, to whichever machine.
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
