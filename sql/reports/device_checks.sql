-- How many of the chosen zones' devices were ever checked: one row.
--
-- For: uptime, outages, devices
-- Reads: chosen_zone, dim_device
-- Columns:
--   devices    = uptime.devices: Devices that were ever listed in these zones.
--   compared   Compared (count): Those of them that were listed more than once.

select
    count(*) as devices,
    count(case when d.first_seen_at < d.last_seen_at then 1 end) as compared
from dim_device as d
inner join chosen_zone as z on z.zone_id = d.zone_id
