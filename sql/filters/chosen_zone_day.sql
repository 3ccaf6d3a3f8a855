-- The requested zones on each date of the period on which they have the requested attributes, for own reports.
--
-- Reads: chosen_date, zone_slot

select
    z.zone_id,
    d.date
from chosen_date as d
inner join zone_slot as z on d.date between z.slot_from and z.slot_to
