-- Two and a half times the median of a group's last 20 gaps between listings of devices: the longest that a state is
-- taken to last. Snapshots later than the new ones are counted anew too, so that their order of arrival does not matter.
-- Reads: core.snapshot, temp.listing
-- Makes: core.device_snapshot
update core.device_snapshot
set max_gap_seconds = g.max_gap_seconds
from (
    with new as (
        select
            group_id,
            min(date_trunc('second', requested_at)) as asked_at
        from temp.listing
        where source = 'devices'
        group by group_id
    ),

    asked as (
        select distinct
            s.group_id,
            n.asked_at as new_at,
            date_trunc('second', s.requested_at) as asked_at
        from core.snapshot as s
        inner join new as n on n.group_id = s.group_id
        where s.source = 'devices'
    ),

    gap as (
        select
            *,
            date_diff('second', lag(asked_at) over (partition by group_id order by asked_at), asked_at) as gap_seconds
        from asked
    )

    select
        group_id,
        asked_at,
        cast(
            floor(
                2.5 * median(gap_seconds) over (
                    partition by group_id
                    order by asked_at
                    rows between 19 preceding and current row
                )
            ) as bigint
        ) as max_gap_seconds
    from gap
    qualify asked_at >= new_at
) as g
where
    device_snapshot.group_id = g.group_id
    and date_trunc('second', device_snapshot.requested_at) = g.asked_at
    and device_snapshot.max_gap_seconds is distinct from g.max_gap_seconds
