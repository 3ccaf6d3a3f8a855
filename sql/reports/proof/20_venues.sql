-- The zones of a proof, with their addresses: one row per zone in which a requested campaign was scheduled or played.
--
-- Reads: campaign_slot, dim_location, dim_zone, fact_campaign_zone_day, p, zone_slot
-- Columns:
--   zone_id         = dim_zone.zone_id
--   zone_name       = dim_zone.zone_name
--   location_id     = dim_location.location_id
--   location_name   = dim_location.location_name
--   street          = dim_location.street
--   city            = dim_location.city
--   address_state   = dim_location.state
--   zip             = dim_location.zip
--   latitude        = dim_location.latitude
--   longitude       = dim_location.longitude

select
    z.zone_id,
    z.zone_name,
    z.location_id,
    l.location_name,
    l.street,
    l.city,
    l.state as address_state,
    l.zip,
    l.latitude,
    l.longitude
from dim_zone as z
left join dim_location as l on l.location_id = z.location_id
where
    z.zone_id in (
        select f.zone_id
        from p
        inner join fact_campaign_zone_day as f on f.date between p.date_from and p.date_to
        inner join zone_slot as s on s.zone_id = f.zone_id and f.date between s.slot_from and s.slot_to
        inner join campaign_slot as c on c.campaign_key = f.campaign_key and f.date between c.slot_from and c.slot_to
    )
order by z.zone_id
