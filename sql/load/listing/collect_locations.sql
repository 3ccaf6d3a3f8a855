-- The names that listings of devices give to locations, and where they say that zones are.
-- Reads: temp.device, temp.listing
-- Makes: temp.seen_name, temp.seen_zone_location
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
group by d.zone_id, d.location_id
