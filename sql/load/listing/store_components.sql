-- Components into core: the newest that was said of each counts, whatever arrives last.
delete from core.component
using component as n
where component.component_id = n.component_id and component.seen_at <= getvariable('requested_at');

insert into core.component
select
    n.component_id,
    n.component_name,
    n.state,
    n.parent_id,
    n.updated_at,
    getvariable('requested_at') as seen_at
from component as n
anti join core.component as c on c.component_id = n.component_id
