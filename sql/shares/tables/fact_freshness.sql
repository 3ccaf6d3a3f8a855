-- Responses for the groups of the share's zones, and files.

select t.*
from whole.fact_freshness as t
where t.group_id is null or t.group_id in (select g.group_id from share.zone_group as g)
