-- Notices into core: the newest that was said of each counts, whatever arrives last.
-- Reads: core.notice, temp.listing, temp.notice
-- Makes: core.notice
delete from core.notice
using temp.notice as n, temp.listing as l
where
    l.place = n.place
    and notice.notice_id = n.notice_id
    and (notice.seen_at, coalesce(notice.updated_at, notice.seen_at))
    <= (l.requested_at, coalesce(n.updated_at, l.requested_at));

insert into core.notice
select
    n.* exclude (place),
    l.requested_at as seen_at
from temp.notice as n
inner join temp.listing as l on l.place = n.place
anti join core.notice as c on c.notice_id = n.notice_id
