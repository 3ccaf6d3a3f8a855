-- The records of devices listings, typed; without device or zone they are no devices. Of two of the same device and zone
-- that which was online last counts.
-- Reads: $service_time_zone, temp.listing, temp.listing_record
-- Makes: temp.device
insert into temp.device
select distinct on (place, device_id, zone_id)
    place,
    exact_id(r.device_id) as device_id,
    exact_id(r.zone_id) as zone_id,
    exact_id(r.location.location_id) as location_id,
    r.location.name as location_name,
    r.location.street,
    r.location.city,
    r.location.state,
    r.location.zip,
    finite_number(r.location.latitude) as latitude,
    finite_number(r.location.longitude) as longitude,
    r.status,
    r.platform,
    r.model,
    r.firmware,
    r.version,
    r.ip_address,
    r.mac_address,
    finite_number(r.bandwidth_kbps) as bandwidth_kbps,
    finite_number(r.storage_used_mb) as storage_used_mb,
    finite_number(r.storage_total_mb) as storage_total_mb,
    service_instant(r.last_online_date, getvariable('service_time_zone'), requested_at) as last_online_at,
    try_cast(r.last_online_ago as bigint) as last_online_ago,
    service_instant(r.last_play_date, getvariable('service_time_zone'), requested_at) as last_play_at,
    nullif(r.last_sd_error, '') as last_sd_error,
    service_instant(r.last_sd_error_date, getvariable('service_time_zone'), requested_at) as last_sd_error_at
from records_of(
    'devices',
    '{"device_id": "varchar", "zone_id": "varchar", "status": "varchar", "platform": "varchar",
      "model": "varchar", "firmware": "varchar", "version": "varchar", "ip_address": "varchar",
      "mac_address": "varchar", "bandwidth_kbps": "varchar", "storage_used_mb": "varchar",
      "storage_total_mb": "varchar", "last_online_date": "varchar", "last_online_ago": "varchar",
      "last_play_date": "varchar", "last_sd_error": "varchar", "last_sd_error_date": "varchar",
      "location": {"location_id": "varchar", "name": "varchar", "street": "varchar", "city": "varchar",
        "state": "varchar", "zip": "varchar", "latitude": "varchar", "longitude": "varchar"}}'
)
where exact_id(r.device_id) is not null and exact_id(r.zone_id) is not null
order by place, device_id, zone_id, last_online_at desc nulls last, r.status, line
