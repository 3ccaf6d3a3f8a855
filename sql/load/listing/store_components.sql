-- Components into core: the newest that was said of each counts, whatever arrives last.
-- Reads: temp.component, temp.listing
-- Makes: core.component
merge into core.component as c
using (
    select
        n.* exclude (place),
        l.requested_at as seen_at
    from temp.component as n
    inner join temp.listing as l on l.place = n.place
) as n using (component_id)
when matched and c.seen_at <= n.seen_at
    then update
when not matched
    then insert;
