-- As of when the plays of these groups and kinds are: the oldest, over both, of the newest complete export.
-- Reads fact_load, bridge_group_zone.
-- Lists are text such as `,3,14,`; an empty text means all. Groups that are no longer collected do not count.
with p as (
    select
        cast(? as varchar) as group_ids,
        cast(? as varchar) as kinds
),

newest as (
    select
        l.group_id,
        l.kind,
        max(l.requested_at) as requested_at
    from p
    cross join fact_load as l
    where
        l.source = 'export'
        and l.group_id in (select group_id from bridge_group_zone)
        and (p.group_ids = '' or position(',' || cast(l.group_id as varchar) || ',' in p.group_ids) > 0)
        and (p.kinds = '' or position(',' || l.kind || ',' in p.kinds) > 0)
    group by l.group_id, l.kind
)

select min(requested_at) as data_as_of
from newest
