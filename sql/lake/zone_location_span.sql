-- Each location of a zone once: from when it was first seen to when it was last seen, by any machine.
--
-- Reads: lake.zone_location_span

select
    zone_id,
    location_id,
    min(first_at) as first_at,
    max(last_at) as last_at
from lake.zone_location_span
group by zone_id, location_id
