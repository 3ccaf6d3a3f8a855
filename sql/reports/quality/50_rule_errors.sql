-- Campaigns whose rule can't be followed: never scheduled, never skipped in silence.
--
-- Reads: dim_campaign, p
-- Columns: as quality/10_published

select
    'rule_errors' as section,
    c.kind || ' campaign ' || cast(c.campaign_id as varchar)
    || case when coalesce(c.campaign_name, '') <> '' then ' (' || c.campaign_name || ')' else '' end as subject,
    coalesce(c.rrule, '') as value,
    c.rule_error as note
from p
inner join dim_campaign as c on c.rule_error is not null
where p.kinds = '' or position(',' || c.kind || ',' in p.kinds) > 0
order by c.kind, c.campaign_id
