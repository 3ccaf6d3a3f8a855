-- Reads the records of device listings, and stores states, zones and addresses. Rejects records without a device or
-- zone.
-- Reads: $service_time_zone, core.dirty_device_day, core.play, core.service_time_zone, core.snapshot, core.zone_day,
--   temp.listing, temp.listing_record
-- Leaves: $has_new_time_zone, core.device_snapshot, core.dirty_device_day, core.location, core.service_time_zone,
--   temp.device, temp.seen_name, temp.seen_zone_location, temp.sighting, temp.touched_zone

-- If a listing has two records with the same device and zone, the one that was online last is used.
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
order by place, device_id, zone_id, last_online_at desc nulls last, r.status, line;

insert into core.device_snapshot by name
select
    l.snapshot_id,
    l.group_id,
    l.requested_at,
    d.* exclude (place, location_name, street, city, state, zip, latitude, longitude),
    cast(null as bigint) as max_gap_seconds
from temp.device as d
inner join temp.listing as l on l.place = d.place;

-- A state is assumed to last no longer than 2.5 times the median of its group's last 20 gaps between listings. Later
-- snapshots are recalculated too, so the order of arrival does not matter.
update core.device_snapshot
set max_gap_seconds = g.max_gap_seconds
from (
    with new as (
        select
            group_id,
            min(date_trunc('second', requested_at)) as second_at
        from temp.listing
        where source = 'devices'
        group by group_id
    ),

    request as (
        select distinct
            s.group_id,
            n.second_at as first_new_at,
            date_trunc('second', s.requested_at) as second_at
        from (
            select source, group_id, requested_at from core.snapshot
            union all
            select source, group_id, requested_at from temp.listing
        ) as s
        inner join new as n on n.group_id = s.group_id
        where s.source = 'devices'
    ),

    gap as (
        select
            *,
            date_diff('second', lag(second_at) over (partition by group_id order by second_at), second_at) as gap_seconds
        from request
    )

    select
        group_id,
        second_at,
        cast(
            floor(
                2.5 * median(gap_seconds) over (
                    partition by group_id
                    order by second_at
                    rows between 19 preceding and current row
                )
            ) as bigint
        ) as max_gap_seconds
    from gap
    qualify second_at >= first_new_at
) as g
where
    device_snapshot.group_id = g.group_id
    and date_trunc('second', device_snapshot.requested_at) = g.second_at
    and device_snapshot.max_gap_seconds is distinct from g.max_gap_seconds;

insert into temp.sighting
select distinct
    d.zone_id,
    l.group_id,
    l.source,
    l.kind,
    l.requested_at as seen_at
from temp.device as d
inner join temp.listing as l on l.place = d.place;

-- Local days that may contain a listing. Local dates differ from UTC dates by at most one day.
insert into core.dirty_device_day
select
    '' as kind,
    unnest([cast(requested_at as date) - 1, cast(requested_at as date), cast(requested_at as date) + 1]) as date
from temp.listing
where source = 'devices'
except
select *
from core.dirty_device_day;

-- Keeps the latest address of each location. If two addresses have the same instant, the last one loaded is used.
merge into core.location as c
using (
    select distinct on (location_id)
        d.location_id,
        d.street,
        d.city,
        d.state,
        d.zip,
        d.latitude,
        d.longitude,
        l.requested_at as seen_at
    from temp.device as d
    inner join temp.listing as l on l.place = d.place
    where d.location_id is not null
    order by
        d.location_id, l.requested_at desc, l.place desc, d.device_id, d.zone_id, d.street, d.city, d.state, d.zip,
        d.latitude, d.longitude
) as s using (location_id)
when matched and c.seen_at <= s.seen_at
    then update
when not matched
    then insert;

insert into temp.seen_name
select
    'location' as subject,
    '' as kind,
    d.location_id as id,
    d.location_name as name,
    min(l.requested_at) as first_at,
    max(l.requested_at) as last_at
from temp.device as d
inner join temp.listing as l on l.place = d.place
where d.location_id is not null and d.location_name <> ''
group by d.location_id, d.location_name;

insert into temp.seen_zone_location
select
    d.zone_id,
    d.location_id,
    min(l.requested_at) as first_at,
    max(l.requested_at) as last_at
from temp.device as d
inner join temp.listing as l on l.place = d.place
where d.location_id is not null
group by d.zone_id, d.location_id;

-- If the service's time zone changed, the days of zones without plays must be recomputed.
set variable has_new_time_zone = (
    select coalesce(max(time_zone), 'UTC') is distinct from getvariable('service_time_zone')
    from core.service_time_zone
);

insert into temp.touched_zone
select distinct z.zone_id
from core.zone_day as z
anti join core.play as p on p.zone_id = z.zone_id and p.duration_secs > 0
where getvariable('has_new_time_zone');

delete from core.service_time_zone;

insert into core.service_time_zone
select getvariable('service_time_zone') as time_zone;
