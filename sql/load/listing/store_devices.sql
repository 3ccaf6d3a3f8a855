-- A devices listing into core.
insert into core.device_snapshot
select
    getvariable('snapshot_id') as snapshot_id,
    getvariable('group_id') as group_id,
    getvariable('requested_at') as requested_at,
    device_id,
    zone_id,
    location_id,
    status,
    platform,
    model,
    firmware,
    version,
    ip_address,
    mac_address,
    bandwidth_kbps,
    storage_used_mb,
    storage_total_mb,
    last_online_at,
    last_online_ago,
    last_play_at,
    last_sd_error,
    last_sd_error_at,
    cast(null as bigint) as max_gap_seconds -- set when the snapshot is in the ledger
from device;

create or replace temp table seen_location as
select distinct on (location_id)
    location_id,
    street,
    city,
    state,
    zip,
    latitude,
    longitude
from device
where location_id is not null
order by location_id, device_id, zone_id, street, city, state, zip, latitude, longitude;

delete from core.location
using seen_location as s
where location.location_id = s.location_id and location.seen_at <= getvariable('requested_at');

insert into core.location
select
    s.location_id,
    s.street,
    s.city,
    s.state,
    s.zip,
    s.latitude,
    s.longitude,
    getvariable('requested_at') as seen_at
from seen_location as s
anti join core.location as l on l.location_id = s.location_id;

create or replace temp table seen_name as
select distinct
    'location' as subject,
    '' as kind,
    location_id as id,
    location_name as name,
    getvariable('requested_at') as first_at,
    getvariable('requested_at') as last_at
from device
where location_id is not null and location_name <> '';

create or replace temp table seen_zone_location as
select distinct
    zone_id,
    location_id,
    getvariable('requested_at') as first_at,
    getvariable('requested_at') as last_at
from device
where location_id is not null;

create or replace temp table seen_zone as
select distinct zone_id
from device;

-- The local days that it may fall on.
insert into core.dirty_device_day
select
    '' as kind,
    unnest([
        cast(getvariable('requested_at') as date) - 1,
        cast(getvariable('requested_at') as date),
        cast(getvariable('requested_at') as date) + 1
    ]) as date
