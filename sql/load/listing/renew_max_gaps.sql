-- Two and a half times the median of the group's last 20 gaps between listings of devices: the longest that a state is
-- taken to last. Snapshots later than this one are counted anew too, so that their order of arrival does not matter.
update core.device_snapshot
set max_gap_seconds = g.max_gap_seconds
from (
    with asked as (
        select distinct date_trunc('second', requested_at) as asked_at
        from core.snapshot
        where source = 'devices' and group_id = getvariable('group_id')
    ),

    gap as (
        select
            asked_at,
            date_diff('second', lag(asked_at) over (order by asked_at), asked_at) as gap_seconds
        from asked
    )

    select
        asked_at,
        cast(
            floor(2.5 * median(gap_seconds) over (order by asked_at rows between 19 preceding and current row)) as bigint
        ) as max_gap_seconds
    from gap
) as g
where
    device_snapshot.group_id = getvariable('group_id')
    and device_snapshot.requested_at >= date_trunc('second', getvariable('requested_at'))
    and date_trunc('second', device_snapshot.requested_at) = g.asked_at
    and device_snapshot.max_gap_seconds is distinct from g.max_gap_seconds;
