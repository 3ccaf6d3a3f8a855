-- Devices listings into core; their zones are seen in the group that was asked for. How long a state may last is
-- found later.
-- Reads: core.dirty_device_day, temp.device, temp.listing
-- Makes: core.device_snapshot, core.dirty_device_day, temp.sighting
insert into core.device_snapshot by name
select
    l.snapshot_id,
    l.group_id,
    l.requested_at,
    d.* exclude (place, location_name, street, city, state, zip, latitude, longitude),
    cast(null as bigint) as max_gap_seconds
from temp.device as d
inner join temp.listing as l on l.place = d.place;

insert into temp.sighting
select distinct
    d.zone_id,
    l.group_id,
    l.source,
    l.kind,
    l.requested_at as seen_at
from temp.device as d
inner join temp.listing as l on l.place = d.place;

-- The local days that a listing may fall on.
insert into core.dirty_device_day
select
    '' as kind,
    unnest([cast(requested_at as date) - 1, cast(requested_at as date), cast(requested_at as date) + 1]) as date
from temp.listing
where source = 'devices'
except
select *
from core.dirty_device_day
