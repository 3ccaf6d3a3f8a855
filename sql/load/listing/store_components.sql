-- Components into core: the newest that was said of each counts, whatever arrives last.
-- Reads: core.component, temp.component, temp.listing
-- Makes: core.component
delete from core.component
using temp.component as n, temp.listing as l
where l.place = n.place and component.component_id = n.component_id and component.seen_at <= l.requested_at;

insert into core.component
select
    n.* exclude (place),
    l.requested_at as seen_at
from temp.component as n
inner join temp.listing as l on l.place = n.place
anti join core.component as c on c.component_id = n.component_id
