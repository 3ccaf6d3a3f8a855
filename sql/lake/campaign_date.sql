-- One row per rule and date, from the machines whose expansion of the rule is used.
--
-- Reads: core.campaign_rule, lake.campaign_date, lake.campaign_rule

select
    c.rule_id,
    d.date,
    max(d.first_secs) as first_secs,
    max(d.time_set) as time_set
from lake.campaign_date as d
inner join lake.campaign_rule as r on r.rule_id = d.rule_id
inner join core.campaign_rule as c
    on c.rrule = r.rrule
    and c.start_date is not distinct from r.start_date
    and c.add_date is not distinct from r.add_date
    and c.expanded_by is not distinct from r.expanded_by
    and c.expanded_from <= r.expanded_from
    and c.expanded_to >= r.expanded_to
group by c.rule_id, d.date
