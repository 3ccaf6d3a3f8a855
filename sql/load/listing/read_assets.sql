-- The records of assets listings, typed; without an id they are no assets. Of two of the same id the first counts.
-- Reads: temp.listing, temp.listing_record
-- Makes: temp.asset
insert into temp.asset
select distinct on (place, asset_id)
    place,
    exact_id(r.asset_id) as asset_id,
    r.name as asset_name,
    try_cast(r.duration as double) as duration,
    try_cast(r.add_date as date) as add_date,
    try_cast(r.start_date as date) as start_date,
    try_cast(r.end_date as date) as end_date
from records_of(
    'assets',
    '{"asset_id": "varchar", "name": "varchar", "duration": "varchar", "add_date": "varchar",
      "start_date": "varchar", "end_date": "varchar"}'
)
where exact_id(r.asset_id) is not null
order by place, asset_id, line
