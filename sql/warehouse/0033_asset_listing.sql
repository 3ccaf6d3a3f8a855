-- What an owner's newest listing says of an asset is all that is kept of assets listings: they say the same day after
-- day. asset_snapshot now holds one row per owner, kind and asset (per record, where a listing repeats one).
delete from core.asset_snapshot
using (
    select
        kind,
        group_id,
        zone_id,
        asset_id,
        max(row(requested_at, snapshot_id)) as newest
    from core.asset_snapshot
    group by kind, group_id, zone_id, asset_id
) as n
where
    asset_snapshot.kind = n.kind
    and asset_snapshot.group_id is not distinct from n.group_id
    and asset_snapshot.zone_id is not distinct from n.zone_id
    and asset_snapshot.asset_id = n.asset_id
    and row(asset_snapshot.requested_at, asset_snapshot.snapshot_id) < n.newest;
