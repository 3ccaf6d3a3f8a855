-- Notices into core: the newest that was said of each counts, whatever arrives last.
-- Reads: temp.listing, temp.notice
-- Makes: core.notice
merge into core.notice as c
using (
    select
        n.* exclude (place),
        l.requested_at as seen_at
    from temp.notice as n
    inner join temp.listing as l on l.place = n.place
) as n using (notice_id)
when matched and (c.seen_at, coalesce(c.updated_at, c.seen_at)) <= (n.seen_at, coalesce(n.updated_at, n.seen_at))
    then update by name
when not matched
    then insert by name;
