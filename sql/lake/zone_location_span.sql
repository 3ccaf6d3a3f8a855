-- One row per zone and location, with the first and last instant at which any machine saw the zone there.
--
-- Reads: lake.zone_location_span

select
    zone_id,
    location_id,
    min(first_at) as first_at,
    max(last_at) as last_at
from lake.zone_location_span
group by zone_id, location_id
