-- Local days on which an added, removed or changed device listing may fall.
--
-- Reads: core.former_snapshot, core.snapshot
with changed as (
    select requested_at
    from (
        select snapshot_id, landing_id, group_id, requested_at, records, rejected
        from core.snapshot
        where source = 'devices'
        except
        select snapshot_id, landing_id, group_id, requested_at, records, rejected
        from core.former_snapshot
        where source = 'devices'
    ) as come
    union
    select requested_at
    from (
        select snapshot_id, landing_id, group_id, requested_at, records, rejected
        from core.former_snapshot
        where source = 'devices'
        except
        select snapshot_id, landing_id, group_id, requested_at, records, rejected
        from core.snapshot
        where source = 'devices'
    ) as gone
)

select distinct
    '' as kind,
    cast(cast(c.requested_at as date) + k.days * interval '1' day as date) as date
from changed as c
cross join (values (-1), (0), (1)) as k (days)
