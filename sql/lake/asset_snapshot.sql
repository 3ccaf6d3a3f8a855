-- Newest record of each asset per owner, from any machine. If a listing contains an asset twice, both records are
-- included.
--
-- Reads: lake.asset_snapshot, lake.snapshot

with ranked as (
    select
        a.*,
        rank() over (
            partition by a.kind, a.group_id, a.zone_id, a.asset_id
            order by a.requested_at desc, s.loaded_at desc, a.snapshot_id desc
        ) as newest
    from lake.asset_snapshot as a
    inner join lake.snapshot as s on s.snapshot_id = a.snapshot_id
)

select
    snapshot_id,
    kind,
    group_id,
    requested_at,
    asset_id,
    asset_name,
    duration,
    add_date,
    start_date,
    end_date,
    zone_id
from ranked
where newest = 1
