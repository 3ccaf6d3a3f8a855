-- Rows of all rules that decide who can claim a play.

select t.*
from whole.fact_rule_date as t
where t.rule_id in (select r.rule_id from share.rule as r)
