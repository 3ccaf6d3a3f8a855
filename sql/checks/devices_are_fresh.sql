-- The newest devices listing of each group with zones is at most 36 hours old, if its devices were ever requested.
-- Severity: warn

with newest as (
    select
        group_id,
        max(requested_at) as requested_at
    from mart.fact_snapshot
    where source = 'devices' and group_id in (select group_id from mart.bridge_group_zone)
    group by group_id
)

select
    n.group_id,
    n.requested_at,
    i.built_at
from newest as n
cross join mart.mart_info as i
where i.built_at > cast(n.requested_at + interval '36' hour as timestamp(6))
