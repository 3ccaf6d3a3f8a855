-- One row per component: a part of the service whose state is published.
--
-- Grain: component_id
-- Reads: core.component
-- Built: whole
-- Columns:
--   component_id     Component id (id): The service's number of the component.
--   component_name   Component (text): Its name, as last seen.
--   state            State (text): operational, degraded or under-maintenance.
--   parent_id        Parent id (id): The component it is a part of (dim_component); null at the top, and where that is
--                    not known.

select
    c.component_id,
    c.component_name,
    c.state,
    p.component_id as parent_id
from core.component as c
left join core.component as p on p.component_id = c.parent_id
