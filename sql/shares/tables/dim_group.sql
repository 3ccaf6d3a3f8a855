-- Groups with a zone that the share's campaigns refer to.

select t.*
from whole.dim_group as t
where t.group_id in (select g.group_id from share.zone_group as g)
