-- Days on which a rule's occurrences changed, in the range that both the previous and the current expansion cover.
--
-- Reads: core.calendar, core.campaign_date, core.campaign_rule, core.former_campaign_date, core.former_campaign_rule,
--   core.listing_span, core.zone_day
with rule as (
    select
        n.rule_id,
        b.rule_id as former_rule_id,
        case when n.expanded_from > b.expanded_from then n.expanded_from else b.expanded_from end as first_date,
        case when n.expanded_to < b.expanded_to then n.expanded_to else b.expanded_to end as last_date,
        n.is_every_day <> b.is_every_day
        or n.rule_error is distinct from b.rule_error
        or n.until_at is distinct from b.until_at as is_other
    from core.campaign_rule as n
    inner join core.former_campaign_rule as b
        on b.rrule = n.rrule
        and b.start_date is not distinct from n.start_date
        and b.add_date is not distinct from n.add_date
),

now as (
    select
        r.rule_id,
        d.date,
        d.first_secs,
        d.time_set
    from rule as r
    inner join core.campaign_date as d on d.rule_id = r.rule_id and d.date between r.first_date and r.last_date
),

former as (
    select
        r.rule_id,
        d.date,
        d.first_secs,
        d.time_set
    from rule as r
    inner join core.former_campaign_date as d
        on d.rule_id = r.former_rule_id and d.date between r.first_date and r.last_date
),

changed as (
    select rule_id, date
    from (
        select rule_id, date, first_secs, time_set from now
        except
        select rule_id, date, first_secs, time_set from former
    ) as come
    union
    select rule_id, date
    from (
        select rule_id, date, first_secs, time_set from former
        except
        select rule_id, date, first_secs, time_set from now
    ) as gone
    union
    select
        r.rule_id,
        c.date
    from rule as r
    inner join core.calendar as c on c.date between r.first_date and r.last_date
    where r.is_other
),

known as (
    select distinct date
    from core.zone_day
)

select distinct
    s.kind,
    c.date
from changed as c
inner join known as k on k.date = c.date
inner join core.listing_span as s on s.rule_id = c.rule_id
