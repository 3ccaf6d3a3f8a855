-- Rows of the rules of the share's campaigns.

select t.*
from whole.fact_rule_ended_day as t
where t.rule_id in (select r.rule_id from share.rule as r where r.is_own) and t.zone_id in (select z.zone_id from share.zone as z)
