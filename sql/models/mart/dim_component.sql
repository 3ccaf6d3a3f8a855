-- One row per component: a part of the service whose state is published.
--
-- Grain: component_id
-- Reads: core.component
-- Built: whole
-- Columns:
--   component_id     Component id (id): The service's number for the component.
--   component_name   Component (text): Latest name of the component.
--   state            State (text): operational, degraded or under-maintenance.
--   parent_id        Parent id (id) = dim_component.component_id: The component that contains it; null at the top level,
--                    and if unknown.

select
    c.component_id,
    c.component_name,
    c.state,
    p.component_id as parent_id
from core.component as c
left join core.component as p on p.component_id = c.parent_id
