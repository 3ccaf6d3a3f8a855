-- One row per group and zone in the group. A zone belongs to every group whose latest devices listing, or latest
-- complete export of any kind, contains it; a zone that none of these contains stays where it was last seen. If groups
-- are configured, only those are included.
--
-- Grain: group_id, zone_id
-- Reads: core.configured_group, core.load, core.snapshot, core.zone_group_sighting
-- Built: view
-- Columns:
--   group_id   The group.
--   zone_id    A zone that belongs to it.

with configured as (
    select
        count(*) as group_count
    from core.configured_group
),

sighting as (
    select
        s.zone_id,
        s.group_id,
        s.source,
        s.kind,
        s.last_seen_at
    from core.zone_group_sighting as s
    cross join configured as c
    left join core.configured_group as g on g.group_id = s.group_id
    where c.group_count = 0 or g.group_id is not null
),

newest_response as (
    select
        a.group_id,
        'devices' as source,
        '' as kind,
        max(a.requested_at) as requested_at
    from core.snapshot as a
    where a.source = 'devices'
    group by a.group_id
    union all
    select
        a.group_id,
        'export' as source,
        a.kind,
        max(a.requested_at) as requested_at
    from core.load as a
    where a.source = 'export' and a.is_complete and a.group_id is not null
    group by a.group_id, a.kind
),

member as (
    select distinct
        s.group_id,
        s.zone_id
    from sighting as s
    inner join newest_response as a on a.group_id = s.group_id and a.source = s.source and a.kind = s.kind
    where s.last_seen_at >= a.requested_at
),

last_seen as (
    select
        zone_id,
        max(last_seen_at) as last_seen_at
    from sighting
    group by zone_id
)

select
    group_id,
    zone_id
from member
union
select
    s.group_id,
    s.zone_id
from sighting as s
inner join last_seen as l on l.zone_id = s.zone_id and l.last_seen_at = s.last_seen_at
left join member as m on m.zone_id = s.zone_id
where m.zone_id is null
