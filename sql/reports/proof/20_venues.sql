-- The zones of a proof, with their addresses: one row per zone in which a requested campaign was scheduled or played, and
-- location where the zone was on such days.
--
-- Reads: bridge_zone_location, campaign_slot, dim_location, dim_zone, fact_campaign_zone_day, p, zone_slot
-- Columns:
--   zone_id         = dim_zone.zone_id
--   zone_name       = dim_zone.zone_name
--   valid_from      = bridge_zone_location.valid_from: The day on which the zone moved there; blank for its first
--                   location.
--   valid_to        = bridge_zone_location.valid_to: The last day there; blank for its newest location.
--   location_id     = dim_location.location_id
--   location_name   = dim_location.location_name
--   street          = dim_location.street
--   city            = dim_location.city
--   address_state   = dim_location.state
--   zip             = dim_location.zip
--   latitude        = dim_location.latitude
--   longitude       = dim_location.longitude

with zone_date as (
    select distinct
        f.zone_id,
        f.date
    from p
    inner join fact_campaign_zone_day as f on f.date between p.date_from and p.date_to
    inner join zone_slot as s on s.zone_id = f.zone_id and f.date between s.slot_from and s.slot_to
    inner join campaign_slot as c on c.campaign_key = f.campaign_key and f.date between c.slot_from and c.slot_to
),

venue as (
    select distinct
        d.zone_id,
        b.location_id,
        b.valid_from,
        b.valid_to
    from zone_date as d
    left join bridge_zone_location as b
        on b.zone_id = d.zone_id and d.date between b.valid_from and b.valid_to
)

select
    z.zone_id,
    z.zone_name,
    nullif(v.valid_from, date '1900-01-01') as valid_from,
    nullif(v.valid_to, date '2099-12-31') as valid_to,
    v.location_id,
    l.location_name,
    l.street,
    l.city,
    l.state as address_state,
    l.zip,
    l.latitude,
    l.longitude
from venue as v
inner join dim_zone as z on z.zone_id = v.zone_id
left join dim_location as l on l.location_id = v.location_id
order by z.zone_id, v.valid_from
