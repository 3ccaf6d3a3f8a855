-- Every rule in fact_rule_date was listed, and every rule in fact_rule_ended_day is in fact_rule_date.
-- Severity: error

select 'fact_rule_date.rule_id' as key_name, cast(f.rule_id as varchar) as key_text
from (select distinct rule_id from mart.fact_rule_date) as f
left join mart.fact_listed_campaign as t on t.rule_id = f.rule_id
where t.rule_id is null
union all
select 'fact_rule_ended_day.rule_id' as key_name, cast(f.rule_id as varchar) as key_text
from (select distinct rule_id from mart.fact_rule_ended_day) as f
left join mart.fact_rule_date as t on t.rule_id = f.rule_id
where t.rule_id is null
