-- Rows of the zones that the share's campaigns refer to.

select t.*
from whole.bridge_group_zone as t
where t.zone_id in (select z.zone_id from share.zone as z)
