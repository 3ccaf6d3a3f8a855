-- Rows of the rules of the share's campaigns.

select t.*
from whole.fact_rule_date as t
where t.rule_id in (select r.rule_id from share.rule as r where r.is_own)
