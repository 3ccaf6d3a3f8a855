-- Reads the records of asset listings, and stores the latest record of each asset per owner. Rejects records without an
-- id.
-- Reads: core.asset_snapshot, temp.listing, temp.listing_record
-- Leaves: core.asset_snapshot, temp.asset

-- If a listing has two records with the same id, the first one is used.
insert into temp.asset
select distinct on (place, asset_id)
    place,
    exact_id(r.asset_id) as asset_id,
    r.name as asset_name,
    finite_number(r.duration) as duration,
    listed_date(r.add_date) as add_date,
    listed_date(r.start_date) as start_date,
    listed_date(r.end_date) as end_date
from records_of(
    'assets',
    '{"asset_id": "varchar", "name": "varchar", "duration": "varchar", "add_date": "varchar",
      "start_date": "varchar", "end_date": "varchar"}'
)
where exact_id(r.asset_id) is not null
order by place, asset_id, line;

delete from core.asset_snapshot
using temp.asset as a
inner join temp.listing as l on l.place = a.place
where
    asset_snapshot.kind = l.kind
    and case when asset_snapshot.zone_id is null then 'group' else 'zone' end = l.owner_kind
    and coalesce(asset_snapshot.zone_id, asset_snapshot.group_id) = l.owner_id
    and asset_snapshot.asset_id = a.asset_id
    and asset_snapshot.requested_at <= l.requested_at;

insert into core.asset_snapshot by name
select
    l.snapshot_id,
    l.kind,
    l.group_id,
    l.zone_id,
    l.requested_at,
    a.* exclude (place)
from temp.asset as a
inner join temp.listing as l on l.place = a.place
anti join core.asset_snapshot as s
    on s.kind = l.kind
    and case when s.zone_id is null then 'group' else 'zone' end = l.owner_kind
    and coalesce(s.zone_id, s.group_id) = l.owner_id
    and s.asset_id = a.asset_id;
