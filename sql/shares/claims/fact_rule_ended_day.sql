-- Rows of all rules that decide who can claim a play.

select t.*
from whole.fact_rule_ended_day as t
where t.rule_id in (select r.rule_id from share.rule as r) and t.zone_id in (select z.zone_id from share.zone as z)
