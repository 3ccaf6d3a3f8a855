-- The records of a devices listing, typed; without device or zone they are no devices.
create or replace temp macro exact_id(text) as
case
    when cast(try_cast(text as bigint) as varchar) = text and try_cast(text as bigint) between 0 and 2251799813685247
        then try_cast(text as bigint)
end;

-- A date-time of the service, in UTC: as written where it carries an offset, else in the service's time zone.
create or replace temp macro service_instant(text) as
cast(
    case
        when regexp_matches(text, '([zZ]|[+-]\d\d(:?\d\d)?)$') and text like '%:%' then try_cast(text as timestamptz)
        else timezone(getvariable('service_time_zone'), try_cast(text as timestamp))
    end as timestamp
);

create or replace temp table device as
select
    exact_id(r.device_id) as device_id,
    exact_id(r.zone_id) as zone_id,
    exact_id(r.location.location_id) as location_id,
    r.location.name as location_name,
    r.location.street,
    r.location.city,
    r.location.state,
    r.location.zip,
    try_cast(r.location.latitude as double) as latitude,
    try_cast(r.location.longitude as double) as longitude,
    r.status,
    r.platform,
    r.model,
    r.firmware,
    r.version,
    r.ip_address,
    r.mac_address,
    try_cast(r.bandwidth_kbps as double) as bandwidth_kbps,
    try_cast(r.storage_used_mb as double) as storage_used_mb,
    try_cast(r.storage_total_mb as double) as storage_total_mb,
    service_instant(r.last_online_date) as last_online_at,
    try_cast(r.last_online_ago as bigint) as last_online_ago,
    service_instant(r.last_play_date) as last_play_at,
    nullif(r.last_sd_error, '') as last_sd_error,
    service_instant(r.last_sd_error_date) as last_sd_error_at
from (
    select json_transform(
        record,
        '{"device_id": "varchar", "zone_id": "varchar", "status": "varchar", "platform": "varchar",
          "model": "varchar", "firmware": "varchar", "version": "varchar", "ip_address": "varchar",
          "mac_address": "varchar", "bandwidth_kbps": "varchar", "storage_used_mb": "varchar",
          "storage_total_mb": "varchar", "last_online_date": "varchar", "last_online_ago": "varchar",
          "last_play_date": "varchar", "last_sd_error": "varchar", "last_sd_error_date": "varchar",
          "location": {"location_id": "varchar", "name": "varchar", "street": "varchar", "city": "varchar",
            "state": "varchar", "zip": "varchar", "latitude": "varchar", "longitude": "varchar"}}'
    ) as r
    from listing_record
)
where exact_id(r.device_id) is not null and exact_id(r.zone_id) is not null
