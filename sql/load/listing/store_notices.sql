-- Notices into core: the newest that was said of each counts, whatever arrives last.
delete from core.notice
using notice as n
where
    notice.notice_id = n.notice_id
    and (notice.seen_at, coalesce(notice.updated_at, notice.seen_at))
    <= (getvariable('requested_at'), coalesce(n.updated_at, getvariable('requested_at')));

insert into core.notice
select
    n.notice_id,
    n.type,
    n.state,
    n.subject,
    n.url,
    n.began_at,
    n.ended_at,
    n.updated_at,
    getvariable('requested_at') as seen_at
from notice as n
anti join core.notice as c on c.notice_id = n.notice_id
