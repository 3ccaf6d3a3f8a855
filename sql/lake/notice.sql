-- Newest content of each notice in the status API, from any machine.
--
-- Reads: lake.notice

with ranked as (
    select
        s.*,
        row_number() over (
            partition by notice_id
            order by seen_at desc, coalesce(updated_at, seen_at) desc, machine
        ) as newest
    from lake.notice as s
)

select
    notice_id,
    type,
    state,
    subject,
    url,
    began_at,
    ended_at,
    updated_at,
    seen_at,
    ends_at
from ranked
where newest = 1
