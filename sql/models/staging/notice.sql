-- One row per service notice, with its effective end: the reported end, otherwise the announced one. Many planned
-- notices stay open after the work is done, and would otherwise excuse all later downtime.
--
-- Grain: notice_id
-- Reads: core.notice, core.snapshot
-- Built: view
-- Columns:
--   notice_id      The service's number for the notice.
--   type           general, planned or unplanned.
--   state          Progress of the notice.
--   subject        Subject line.
--   url            Web page of the notice.
--   began_at       Start, in UTC; null if it has not begun.
--   ended_at       End, in UTC; null while ongoing. If the service reports no end, a planned notice ends at its
--                  announced end, once the data reaches that far, or at its last change if it was complete by then or
--                  has no announced end. A resolved one ends at its last change.
--   is_effective   Whether it covers any time: it was neither cancelled nor a false alarm, and ends after it began.

with as_of as (
    select max(requested_at) as data_as_of
    from core.snapshot
    where source in ('devices', 'notices')
),

dated as (
    select
        n.notice_id,
        n.type,
        n.state,
        n.subject,
        n.url,
        n.began_at,
        case
            when n.ended_at is not null then n.ended_at
            when n.type = 'planned' and n.began_at is null then null
            when n.type = 'planned' and n.ends_at is null then coalesce(n.updated_at, n.began_at)
            when n.type = 'planned' and n.state = 'complete' and n.updated_at < n.ends_at then n.updated_at
            when n.type = 'planned' then case when n.ends_at <= a.data_as_of then n.ends_at end
            when n.state in ('complete', 'resolved') then n.updated_at
        end as ended_at
    from core.notice as n
    cross join as_of as a
)

select
    notice_id,
    type,
    state,
    subject,
    url,
    began_at,
    ended_at,
    began_at is not null
    and coalesce(ended_at, timestamp '9999-12-31 00:00:00') > began_at
    and coalesce(state, '') not in ('cancelled', 'false_alarm') as is_effective
from dated
