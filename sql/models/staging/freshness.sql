-- How old the oldest of the newest answers is: over groups and kinds, the newest complete export of each, or, where
-- these are newer, the oldest of the newest complete walks of all its zones. Where neither was loaded, files count:
-- the newest of each kind.
--
-- Grain: one row
-- Reads: core.configured_group, core.load, staging.zone_group
-- Built: view
-- Columns:
--   data_as_of   Nothing that the service had before this instant (UTC) is missing of the groups and kinds that were
--                ever exported; the quality report names those that never were. Null without any load.

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

-- Groups of which every zone was walked.
walked_group as (
    select
        g.group_id,
        k.kind,
        min(w.requested_at) as requested_at
    from staging.zone_group as g
    cross join walked_kind as k
    left join newest_walk as w on w.zone_id = g.zone_id and w.kind = k.kind
    group by g.group_id, k.kind
    having count(*) = count(w.zone_id)
),

newest_answer as (
    select
        group_id,
        kind,
        max(requested_at) as requested_at
    from (
        select group_id, kind, requested_at from newest_export
        union all
        select group_id, kind, requested_at from walked_group
    ) as answer
    group by group_id, kind
),

newest_file as (
    select
        kind,
        max(requested_at) as requested_at
    from core.load
    group by kind
),

answer as (
    select
        min(requested_at) as data_as_of
    from newest_answer
),

file as (
    select
        min(requested_at) as data_as_of
    from newest_file
)

select
    coalesce(a.data_as_of, f.data_as_of) as data_as_of
from answer as a
cross join file as f
