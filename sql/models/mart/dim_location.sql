-- One row per location that history or a devices listing named.
--
-- Grain: location_id
-- Reads: core.location, staging.name_newest, staging.zone_location_newest
-- Built: whole
-- Columns:
--   location_id     Location id (id): The service's number of the location.
--   location_name   Location (text): The location's newest name; Location 123 where it has none.
--   street          Street (text): Of its newest address.
--   city            City (text): Of its newest address.
--   state           State (text): Of its newest address.
--   zip             Postal code (text): Postal code of its newest address, as text.
--   latitude        Latitude (degrees): Where it lies, north positive.
--   longitude       Longitude (degrees): Where it lies, east positive.

with location_name as (
    select
        id as location_id,
        name
    from staging.name_newest
    where subject = 'location'
),

location as (
    select location_id from core.location
    union
    select location_id from location_name
    union
    select location_id from staging.zone_location_newest
)

select
    l.location_id,
    coalesce(n.name, 'Location ' || cast(l.location_id as varchar)) as location_name,
    a.street,
    a.city,
    a.state,
    a.zip,
    a.latitude,
    a.longitude
from location as l
left join location_name as n on n.location_id = l.location_id
left join core.location as a on a.location_id = l.location_id
