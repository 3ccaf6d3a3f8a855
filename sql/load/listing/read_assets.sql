-- The records of an assets listing, typed; without an id they are no assets.
create or replace temp table asset as
select
    try_cast(r.asset_id as bigint) as asset_id,
    r.name as asset_name,
    try_cast(r.duration as double) as duration,
    try_cast(r.add_date as date) as add_date,
    try_cast(r.start_date as date) as start_date,
    try_cast(r.end_date as date) as end_date
from (
    select json_transform(
        record,
        '{"asset_id": "varchar", "name": "varchar", "duration": "varchar", "add_date": "varchar",
          "start_date": "varchar", "end_date": "varchar"}'
    ) as r
    from listing_record
)
where
    cast(try_cast(r.asset_id as bigint) as varchar) = r.asset_id
    and try_cast(r.asset_id as bigint) between 0 and 2251799813685247
