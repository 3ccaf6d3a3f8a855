-- One row per zone and location where it was seen, with the range of local dates there. Ranges of a zone do not overlap.
--
-- Grain: zone_id, location_id
-- Reads: core.zone_day, core.zone_location_span
-- Built: whole
-- Columns:
--   zone_id       = dim_zone.zone_id
--   location_id   = dim_location.location_id: Where the zone was.
--   valid_from    = bridge_zone_attribute.valid_from: The day after the zone was last seen at its previous location;
--                 1900-01-01 for the first one.
--   valid_to      = bridge_zone_attribute.valid_to: The day on which the zone was last seen at the location; 2099-12-31
--                 for the latest one. Note: If a zone returned to a location, only the time since its return is shown.

-- If a zone was seen at two locations at the same instant, the lower id wins, as in staging.zone_location_newest.
with span as (
    select
        zone_id,
        last_at,
        min(location_id) as location_id
    from core.zone_location_span
    group by zone_id, last_at
),

seen as (
    select
        s.zone_id,
        s.location_id,
        s.last_at,
        coalesce(d.date, cast(s.last_at as date)) as last_date
    from span as s
    left join core.zone_day as d on d.zone_id = s.zone_id and s.last_at >= d.start_at and s.last_at < d.end_at
),

ordered as (
    select
        zone_id,
        location_id,
        last_date,
        lag(last_date) over (partition by zone_id order by last_at) as date_before,
        lead(last_date) over (partition by zone_id order by last_at) as next_date
    from seen
),

ranged as (
    select
        zone_id,
        location_id,
        coalesce(cast(date_before + interval '1' day as date), date '1900-01-01') as valid_from,
        case when next_date is null then date '2099-12-31' else last_date end as valid_to
    from ordered
)

select
    zone_id,
    location_id,
    valid_from,
    valid_to
from ranged
where valid_from <= valid_to
