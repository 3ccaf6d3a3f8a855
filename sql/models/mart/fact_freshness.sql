-- One row per group and kind of which the service gave all the history that it had: when it was asked for that last. A
-- complete export says so, and complete walks of all zones of the group, as of the oldest of these; zones that left its
-- listings of devices, or that the service does not know any more, don't count. Where no zone is left that does, nothing is
-- missing as of its newest listing of devices. Where none of these was ever loaded, files count instead: one row per kind, without a group.
--
-- Grain: group_id, kind
-- Reads: core.configured_group, core.load, core.snapshot, core.zone_group_sighting, staging.zone_group
-- Built: whole
-- Columns:
--   group_id       = dim_group.group_id: The group; null: files that came another way.
--   kind           = dim_kind.kind
--   source         Source (text): export, walk or file: what gave it.
--   requested_at   Requested (instant): Instant (UTC) at which it was asked for: nothing that the service had before is
--                  missing.

with configured as (
    select
        count(*) as group_count
    from core.configured_group
),

newest_export as (
    select
        l.group_id,
        l.kind,
        max(l.requested_at) as requested_at
    from core.load as l
    cross join configured as c
    left join core.configured_group as g on g.group_id = l.group_id
    where l.source = 'export' and l.is_complete and (c.group_count = 0 or g.group_id is not null)
    group by l.group_id, l.kind
),

newest_walk as (
    select
        zone_id,
        kind,
        max(requested_at) as requested_at
    from core.load
    where source = 'walk' and is_complete
    group by zone_id, kind
),

walked_kind as (
    select distinct kind
    from newest_walk
),

newest_listing as (
    select
        group_id,
        max(requested_at) as requested_at
    from core.snapshot
    where source = 'devices'
    group by group_id
),

-- Membership in the group's newest listing that named zones: an empty one may be a temporary error.
listed_zone as (
    select
        group_id,
        zone_id,
        last_seen_at,
        max(last_seen_at) over (partition by group_id) as newest_at
    from core.zone_group_sighting
    where source = 'devices'
),

-- Last mention of each zone by the service, and last mention outside exports: a zone whose plays are in an
-- export may have closed long before.
told_zone as (
    select
        zone_id,
        max(told_at) as told_at,
        max(case when not is_export then told_at end) as asked_at
    from (
        select zone_id, last_seen_at as told_at, source <> 'devices' as is_export
        from core.zone_group_sighting
        union all
        select zone_id, requested_at as told_at, false as is_export
        from core.load
        where source = 'walk' and zone_id is not null
        union all
        select zone_id, requested_at as told_at, false as is_export
        from core.snapshot
        where zone_id is not null
    ) as told
    group by zone_id
),

-- The week ends with the newest walk of any zone, since no zone is mentioned for long once walks stop.
week_of_walks as (
    select cast(max(requested_at) - interval '7' day as timestamp(6)) as began_at
    from newest_walk
),

-- Excludes zones that left, and those not mentioned for a week, which the service no longer knows. Zones of
-- an export before that are waited for just as long, as their walk may have failed.
group_zone as (
    select
        g.group_id,
        g.zone_id,
        t.asked_at,
        (l.zone_id is null or l.last_seen_at = l.newest_at)
        and coalesce(t.told_at >= w.began_at, false) as is_counted
    from staging.zone_group as g
    cross join week_of_walks as w
    left join listed_zone as l on l.zone_id = g.zone_id and l.group_id = g.group_id
    left join told_zone as t on t.zone_id = g.zone_id
),

-- Groups with all zones walked.
walked_group as (
    select
        g.group_id,
        k.kind,
        min(w.requested_at) as requested_at
    from group_zone as g
    cross join walked_kind as k
    left join newest_walk as w on w.zone_id = g.zone_id and w.kind = k.kind
    where g.is_counted
    group by g.group_id, k.kind
    having count(*) = count(w.zone_id)
),

-- Groups that were listed before and have no zone to walk; for others it is unknown whether they have any. If
-- exports hold zones never mentioned otherwise, the group may still have them in subgroups.
emptied_group as (
    select
        n.group_id,
        k.kind,
        n.requested_at
    from newest_listing as n
    cross join walked_kind as k
    inner join core.configured_group as c on c.group_id = n.group_id
    inner join (
        select group_id from core.zone_group_sighting
        union
        select group_id from newest_export
    ) as t on t.group_id = n.group_id
    left join (
        select distinct group_id
        from group_zone
        where is_counted or asked_at is null
    ) as z on z.group_id = n.group_id
    where z.group_id is null
),

answer as (
    select group_id, kind, 'export' as source, requested_at
    from newest_export
    union all
    select group_id, kind, 'walk' as source, requested_at
    from walked_group
    union all
    select group_id, kind, 'walk' as source, requested_at
    from emptied_group
),

newest_answer as (
    select
        answer.*,
        row_number() over (partition by group_id, kind order by requested_at desc, source) as place
    from answer
),

answered as (
    select count(*) as answers
    from answer
)

select
    group_id,
    kind,
    source,
    requested_at
from newest_answer
where place = 1
union all
select
    cast(null as bigint) as group_id,
    l.kind,
    'file' as source,
    max(l.requested_at) as requested_at
from core.load as l
cross join answered as a
where a.answers = 0
group by l.kind
