-- One row per location in history or a devices listing.
--
-- Grain: location_id
-- Reads: core.location, mart.bridge_zone_location, staging.name_newest
-- Built: whole
-- Columns:
--   location_id     Location id (id): The service's number for the location.
--   location_name   Location (text): Latest name of the location; Location 123 if it has none.
--   street          Street (text): Street in its latest address.
--   city            City (text): City in its latest address.
--   state           State (text): State in its latest address.
--   zip             Postal code (text): Postal code in its latest address, as text.
--   latitude        Latitude (degrees): Latitude, north positive.
--   longitude       Longitude (degrees): Longitude, east positive.

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
    select location_id from mart.bridge_zone_location
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
