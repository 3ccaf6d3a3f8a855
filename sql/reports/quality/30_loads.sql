-- Findings in the latest load of each source: suspicious loads, rejected lines by reason, and repeated, zero-second and
-- vanished plays. Also lists listings with unreadable records.

with newest as (
    select
        l.*,
        source || ' of ' || kind
        || coalesce(', group ' || cast(group_id as varchar), '')
        || coalesce(', zone ' || cast(zone_id as varchar), '') as origin
    from ({{newest_load}}) as l
),

newest_snapshot as (
    select
        f.*,
        row_number() over (
            partition by f.source, f.kind, f.group_id, f.zone_id
            order by f.requested_at desc, f.snapshot_id desc
        ) as age
    from fact_snapshot as f
    where {{of_kinds}} and {{of_places}}
),

reject as (
    select
        r.reason,
        r.load_id,
        r.line_number,
        row_number() over (partition by r.reason order by r.load_id desc, r.line_number) as example
    from fact_reject as r
    inner join newest as n on n.load_id = r.load_id
),

reason as (
    select
        reason,
        count(*) as lines,
        max(case when example = 1 then load_id end) as load_id,
        max(case when example = 1 then line_number end) as line_number
    from reject
    group by reason
),

per_kind as (
    select
        kind,
        cast(sum(duplicate) as bigint) as duplicate,
        cast(sum(zero_second) as bigint) as zero_second,
        cast(sum(vanished) as bigint) as vanished
    from newest
    group by kind
),

finding as (
    select
        1 as position,
        load_id as rank,
        'loads' as section,
        'load ' || cast(load_id as varchar) as subject,
        cast(rejected + vanished as varchar) as value,
        origin || '; rejected lines: ' || cast(rejected as varchar) || ', vanished plays: ' || cast(vanished as varchar)
            as note
    from newest
    where rejected > 0 or vanished > 0
    union all
    select
        1 as position,
        snapshot_id as rank,
        'loads' as section,
        'listing ' || cast(snapshot_id as varchar) as subject,
        cast(rejected as varchar) as value,
        source || coalesce(' of ' || kind, '')
        || coalesce(', group ' || cast(group_id as varchar), '')
        || coalesce(', zone ' || cast(zone_id as varchar), '')
        || '; rejected records: ' || cast(rejected as varchar) as note
    from newest_snapshot
    where age = 1 and rejected > 0
    union all
    select
        2 as position,
        -lines as rank,
        'rejects' as section,
        reason as subject,
        cast(lines as varchar) as value,
        'for example line ' || cast(line_number as varchar) || ' of load ' || cast(load_id as varchar)
        || case reason
            when 'timestamp_out_of_range' then '; starts from 2000 to 24 h after the request are accepted'
            when 'id_out_of_range' then '; ids from 0 to 2251799813685247 are accepted'
            when 'duration_out_of_range' then '; durations from 0 to 2678400 s (31 days) are accepted'
            else ''
        end as note
    from reason
    union all
    select
        3 as position,
        0 as rank,
        'duplicates' as section,
        kind as subject,
        cast(duplicate as varchar) as value,
        'lines that repeat a play: counted once' as note
    from per_kind
    union all
    select
        4 as position,
        0 as rank,
        'zero_second' as section,
        kind as subject,
        cast(zero_second as varchar) as value,
        'zero-second records: not plays' as note
    from per_kind
    union all
    select
        5 as position,
        0 as rank,
        'vanished' as section,
        kind as subject,
        cast(vanished as varchar) as value,
        'plays no longer in the latest export: kept' as note
    from per_kind
)

select
    section,
    subject,
    value,
    note
from finding
order by position, rank, subject
