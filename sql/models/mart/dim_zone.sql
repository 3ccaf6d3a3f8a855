-- One row per zone that played or appears in history or a listing.
--
-- Grain: zone_id
-- Reads: core.device_snapshot, core.load, core.snapshot, core.zone_time_zone, mart.fact_play_zone_day, staging.name_newest, staging.zone_group, staging.zone_location_newest
-- Built: whole
-- Columns:
--   zone_id           Zone id (id): The service's number for the zone.
--   zone_name         Zone (text): Latest name of the zone; Zone 123 if it has none.
--   location_id       = dim_location.location_id: Its latest location, used for all its history; null if unknown.
--                     bridge_zone_location has earlier ones.
--   home_group_id     = dim_group.group_id: The lowest-numbered group that it belongs to; null if none is known.
--                     bridge_group_zone has all of them.
--   time_zone         Time zone (text): Time zone from reference/zone_time_zones.csv, if given there.
--   first_play_date   First play (date): Local date of its first play.
--   last_play_date    Last play (date): Local date of its last play.

with played as (
    select
        zone_id,
        min(date) as first_play_date,
        max(date) as last_play_date
    from mart.fact_play_zone_day
    group by zone_id
),

zone_name as (
    select
        id as zone_id,
        name
    from staging.name_newest
    where subject = 'zone'
),

home_group as (
    select
        zone_id,
        min(group_id) as home_group_id
    from staging.zone_group
    group by zone_id
),

zone as (
    select zone_id from played
    union
    select zone_id from zone_name
    union
    select zone_id from home_group
    union
    select zone_id from staging.zone_location_newest
    union
    select zone_id from core.device_snapshot
    union
    select zone_id from core.snapshot where zone_id is not null
    union
    select zone_id from core.load where zone_id is not null
)

select
    z.zone_id,
    coalesce(n.name, 'Zone ' || cast(z.zone_id as varchar)) as zone_name,
    l.location_id,
    g.home_group_id,
    t.time_zone,
    p.first_play_date,
    p.last_play_date
from zone as z
left join zone_name as n on n.zone_id = z.zone_id
left join staging.zone_location_newest as l on l.zone_id = z.zone_id
left join home_group as g on g.zone_id = z.zone_id
left join core.zone_time_zone as t on t.zone_id = z.zone_id
left join played as p on p.zone_id = z.zone_id
