-- The records of assets listings, typed; without an id they are no assets. Of two of the same id the first counts.
-- Reads: temp.listing, temp.listing_record
-- Makes: temp.asset
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
order by place, asset_id, line
