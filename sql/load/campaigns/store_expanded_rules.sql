update core.campaign_rule
set
    rule_error = e.rule_error,
    is_every_day = e.is_every_day,
    expanded_from = e.expanded_from,
    expanded_to = e.expanded_to
from expanded_rule as e
where campaign_rule.rule_id = e.rule_id;

delete from core.campaign_date
using expanded_rule as e
where campaign_date.rule_id = e.rule_id;

insert into core.campaign_date
select
    rule_id,
    unnest(dates) as date
from expanded_rule;

drop table expanded_rule
