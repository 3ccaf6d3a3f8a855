-- One row per group and kind whose history was ever loaded completely: the request time of the latest complete
-- response. A complete response is an export, or walks of all the group's zones, which have the time of the oldest
-- walk. Zones that left the group's devices listings, or that the service no longer knows, are ignored; a group without
-- other zones is complete as of its latest devices listing. If no complete response was ever loaded, files are used
-- instead: one row per kind, without a group.
--
-- Grain: group_id, kind
-- Reads: core.configured_group, core.load, core.snapshot, core.zone_group_sighting, staging.zone_group
-- Built: whole
-- Columns:
--   group_id       = dim_group.group_id: The group; null for files.
--   kind           = dim_kind.kind
--   source         Source (text): Source of the response: export, walk or file.
--   requested_at   Requested (instant): Instant of the request (UTC): all history that the service had by then is
--                  loaded.

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

-- Zones in the group's latest listing with any zones. An empty listing may be a temporary error, so it is skipped.
listed_zone as (
    select
        group_id,
        zone_id,
        last_seen_at,
        max(last_seen_at) over (partition by group_id) as newest_at
    from core.zone_group_sighting
    where source = 'devices'
),

-- When the service last mentioned each zone, in any response and in responses other than exports: a zone whose plays
-- are in an export may have closed long before.
zone_mention as (
    select
        zone_id,
        max(mentioned_at) as mentioned_at,
        max(case when not is_export then mentioned_at end) as mentioned_outside_exports_at
    from (
        select zone_id, last_seen_at as mentioned_at, source <> 'devices' as is_export
        from core.zone_group_sighting
        union all
        select zone_id, requested_at as mentioned_at, false as is_export
        from core.load
        where source = 'walk' and zone_id is not null
        union all
        select zone_id, requested_at as mentioned_at, false as is_export
        from core.snapshot
        where zone_id is not null
    ) as mention
    group by zone_id
),

-- The week ends with the latest walk of any zone, because zones are rarely mentioned without walks.
week_of_walks as (
    select cast(max(requested_at) - interval '7' day as timestamp(6)) as began_at
    from newest_walk
),

-- Excludes zones that left the group, and zones not mentioned for a week, which the service no longer knows. Zones
-- known from an earlier export are kept for the same week, because their walk may have failed.
group_zone as (
    select
        g.group_id,
        g.zone_id,
        t.mentioned_outside_exports_at,
        (l.zone_id is null or l.last_seen_at = l.newest_at)
        and coalesce(t.mentioned_at >= w.began_at, false) as is_counted
    from staging.zone_group as g
    cross join week_of_walks as w
    left join listed_zone as l on l.zone_id = g.zone_id and l.group_id = g.group_id
    left join zone_mention as t on t.zone_id = g.zone_id
),

-- Groups whose zones have all been walked.
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

-- Groups that were listed before and have no zones left to walk; for other groups it is unknown whether they
-- have zones. If exports contain zones never mentioned elsewhere, the group may still have them in subgroups.
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
        where is_counted or mentioned_outside_exports_at is null
    ) as z on z.group_id = n.group_id
    where z.group_id is null
),

response as (
    select group_id, kind, 'export' as source, requested_at
    from newest_export
    union all
    select group_id, kind, 'walk' as source, requested_at
    from walked_group
    union all
    select group_id, kind, 'walk' as source, requested_at
    from emptied_group
),

newest_response as (
    select
        response.*,
        row_number() over (partition by group_id, kind order by requested_at desc, source) as place
    from response
),

response_count as (
    select count(*) as responses
    from response
)

select
    group_id,
    kind,
    source,
    requested_at
from newest_response
where place = 1
union all
select
    cast(null as bigint) as group_id,
    l.kind,
    'file' as source,
    max(l.requested_at) as requested_at
from core.load as l
cross join response_count as a
where a.responses = 0
group by l.kind
