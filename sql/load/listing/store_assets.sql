-- An assets listing into core.
insert into core.asset_snapshot by name
select
    getvariable('snapshot_id') as snapshot_id,
    getvariable('kind') as kind,
    getvariable('group_id') as group_id,
    getvariable('zone_id') as zone_id,
    getvariable('requested_at') as requested_at,
    asset_id,
    asset_name,
    duration,
    add_date,
    start_date,
    end_date
from asset;

create or replace temp table seen_name as
select distinct
    'item' as subject,
    getvariable('kind') as kind,
    asset_id as id,
    asset_name as name,
    getvariable('requested_at') as first_at,
    getvariable('requested_at') as last_at
from asset
where asset_name <> '';

create or replace temp table seen_zone_location as
select
    zone_id,
    location_id,
    first_at,
    last_at
from core.zone_location_span
where false
