-- One row per zone with its latest location.
--
-- Grain: zone_id
-- Reads: core.zone_location_span
-- Built: view
-- Columns:
--   zone_id       The zone.
--   location_id   Location where the zone was last seen; if there are two at the same instant, the lower number.

with ranked as (
    select
        zone_id,
        location_id,
        row_number() over (partition by zone_id order by last_at desc, location_id) as newest
    from core.zone_location_span
)

select
    zone_id,
    location_id
from ranked
where newest = 1
