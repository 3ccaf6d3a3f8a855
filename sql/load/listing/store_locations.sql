-- Addresses into core: the newest of each location, of two of one instant that which is loaded last.
-- Reads: temp.device, temp.listing
-- Makes: core.location
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
