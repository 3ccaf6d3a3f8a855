-- How old the oldest of the newest answers is: over groups and kinds, the newest complete export of each. Where
-- no export was loaded, files count: the newest of each kind.
--
-- Grain: one row
-- Reads: core.configured_group, core.load
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

newest_file as (
    select
        kind,
        max(requested_at) as requested_at
    from core.load
    group by kind
),

export as (
    select
        min(requested_at) as data_as_of
    from newest_export
),

file as (
    select
        min(requested_at) as data_as_of
    from newest_file
)

select
    coalesce(e.data_as_of, f.data_as_of) as data_as_of
from export as e
cross join file as f
