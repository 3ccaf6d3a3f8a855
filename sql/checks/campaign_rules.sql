-- The rules and dates of all listed campaigns are readable; other campaigns are treated as never scheduled.
-- Severity: warn

select
    kind,
    campaign_id,
    campaign_name,
    rrule,
    rule_error
from mart.dim_campaign
where is_listed and rule_error is not null
