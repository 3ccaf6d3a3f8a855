-- Addresses into core: the newest of each location, of two of one instant that which is loaded last.
-- Reads: core.location, temp.device, temp.listing, temp.seen_location
-- Makes: core.location, temp.seen_location
insert into temp.seen_location
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
    d.latitude, d.longitude;

delete from core.location
using temp.seen_location as s
where location.location_id = s.location_id and location.seen_at <= s.seen_at;

insert into core.location
select s.*
from temp.seen_location as s
anti join core.location as l on l.location_id = s.location_id
