-- A listing that names no zones, locations or items.
create or replace temp table seen_name as
select
    subject,
    kind,
    id,
    name,
    first_at,
    last_at
from core.name_span
where false;

create or replace temp table seen_zone_location as
select
    zone_id,
    location_id,
    first_at,
    last_at
from core.zone_location_span
where false
