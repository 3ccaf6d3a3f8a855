-- One row with the number of the chosen zones' devices, and of those checked more than once.
--
-- For: uptime, outages, devices, silences
-- Reads: chosen_zone, dim_device, fact_device_day
-- Columns:
--   devices    Devices (count): Devices that were ever listed in these zones.
--   compared   Compared (count): Devices that were listed more than once.

with checked as (
    select
        d.device_id,
        d.first_seen_at < d.last_seen_at as is_compared
    from dim_device as d
    inner join chosen_zone as z on z.zone_id = d.zone_id
    union all
    -- Devices that have moved to another zone since.
    select
        f.device_id,
        true as is_compared
    from fact_device_day as f
    inner join chosen_zone as z on z.zone_id = f.zone_id
)

select
    count(distinct device_id) as devices,
    count(distinct case when is_compared then device_id end) as compared
from checked
