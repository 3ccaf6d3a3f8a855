-- One row per device and listing. A state is assumed to last no longer than 2.5 times the median of its group's last 20
-- gaps between listings. If several machines listed a group, the gaps between all their listings are used.
--
-- Reads: lake.device_snapshot, lake.snapshot

with shared_group as (
    select group_id
    from lake.snapshot
    where source = 'devices'
    group by group_id
    having count(distinct machine) > 1
),

request as (
    select distinct
        s.group_id,
        cast(date_trunc('second', s.requested_at) as timestamp(6)) as second_at
    from lake.snapshot as s
    inner join shared_group as g on g.group_id = s.group_id
    where s.source = 'devices'
),

gap as (
    select
        group_id,
        second_at,
        row_number() over (partition by group_id order by second_at) as number,
        date_diff('second', lag(second_at) over (partition by group_id order by second_at), second_at) as gap_seconds
    from request
),

recent as (
    select
        g.group_id,
        g.second_at,
        b.gap_seconds,
        row_number() over (partition by g.group_id, g.number order by b.gap_seconds) as place,
        count(*) over (partition by g.group_id, g.number) as gaps
    from gap as g
    inner join gap as b on b.group_id = g.group_id and b.number between g.number - 19 and g.number
    where b.gap_seconds is not null
),

counted as (
    select
        group_id,
        second_at,
        cast(floor(2.5 * avg(cast(gap_seconds as double))) as bigint) as max_gap_seconds
    from recent
    where place * 2 in (gaps, gaps + 1, gaps + 2)
    group by group_id, second_at
)

select
    d.snapshot_id,
    d.group_id,
    d.requested_at,
    d.device_id,
    d.zone_id,
    d.location_id,
    d.status,
    d.platform,
    d.model,
    d.firmware,
    d.version,
    d.ip_address,
    d.mac_address,
    d.bandwidth_kbps,
    d.storage_used_mb,
    d.storage_total_mb,
    d.last_online_at,
    d.last_online_ago,
    d.last_play_at,
    d.last_sd_error,
    d.last_sd_error_at,
    case when g.group_id is null then d.max_gap_seconds else c.max_gap_seconds end as max_gap_seconds
from lake.device_snapshot as d
left join shared_group as g on g.group_id = d.group_id
left join counted as c
    on c.group_id = d.group_id and c.second_at = cast(date_trunc('second', d.requested_at) as timestamp(6))
