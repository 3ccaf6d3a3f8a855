-- Zones that have no clock but the service's.
-- Reads: core.play, core.zone_day, temp.touched_zone
-- Makes: temp.touched_zone
insert into temp.touched_zone
select distinct z.zone_id
from core.zone_day as z
anti join core.play as p on p.zone_id = z.zone_id and p.duration_secs > 0
anti join temp.touched_zone as t on t.zone_id = z.zone_id
