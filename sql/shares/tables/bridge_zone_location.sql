-- Rows of the zones that the share's campaigns refer to.

select t.*
from whole.bridge_zone_location as t
where t.zone_id in (select z.zone_id from share.zone as z)
