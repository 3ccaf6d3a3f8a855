-- Stores the dates of expanded rules, and marks days on which a rule differs from its previous expansion as dirty. Days
-- outside the previous expansion are not marked, because no build has used the rule for them yet.
-- Reads: core.calendar, core.campaign_date, core.campaign_rule, core.dirty_campaign_day, core.listing_span,
--   core.zone_day, temp.expanded_rule
-- Leaves: core.campaign_date, core.campaign_rule, core.dirty_campaign_day
insert into core.dirty_campaign_day
with now as (
    select
        rule_id,
        unnest(dates, recursive := true)
    from temp.expanded_rule
),

day as (
    select
        r.rule_id,
        c.date,
        r.rule_error is null and (r.is_every_day or b.date is not null) as is_before,
        e.rule_error is null and (e.is_every_day or n.date is not null) as is_now,
        -- True if the first time, the instant of UNTIL or the times of day changed.
        b.first_secs is distinct from n.first_secs
        or (n.first_secs is not null and r.until_at is distinct from e.until_at)
        or b.time_set is distinct from n.time_set as is_moved
    from core.campaign_rule as r
    inner join temp.expanded_rule as e on e.rule_id = r.rule_id
    inner join core.calendar as c
        on c.date between greatest(r.expanded_from, e.expanded_from) and least(r.expanded_to, e.expanded_to)
    left join core.campaign_date as b on b.rule_id = r.rule_id and b.date = c.date
    left join now as n on n.rule_id = r.rule_id and n.date = c.date
)

select
    s.kind,
    d.date
from day as d
inner join core.listing_span as s on s.rule_id = d.rule_id
semi join core.zone_day as z on z.date = d.date
where d.is_before <> d.is_now or (d.is_now and d.is_moved)
except
select *
from core.dirty_campaign_day;

update core.campaign_rule
set
    rule_error = e.rule_error,
    is_every_day = e.is_every_day,
    expanded_from = e.expanded_from,
    expanded_to = e.expanded_to,
    expanded_by = e.expanded_by,
    until_at = e.until_at
from temp.expanded_rule as e
where campaign_rule.rule_id = e.rule_id;

delete from core.campaign_date
using temp.expanded_rule as e
where campaign_date.rule_id = e.rule_id;

insert into core.campaign_date
select
    rule_id,
    unnest(dates, recursive := true)
from temp.expanded_rule;
