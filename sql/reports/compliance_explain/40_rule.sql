-- The rules, and their occurrences around the day.

with p as ({{cell}}),

rule as (
    select distinct
        s.rule_id,
        s.rrule,
        s.rule_error,
        s.is_every_day
    from p
    inner join staging.listed_day as l
        on l.campaign_key = p.campaign_key and l.zone_id = p.zone_id and l.date = p.date
    inner join fact_listed_campaign as s
        on s.kind = l.kind
        and s.owner_kind = l.owner_kind
        and s.owner_id = l.owner_id
        and s.campaign_key = l.campaign_key
        and s.from_at = l.from_at
    where s.rule_id is not null
),

occurrence as (
    select
        r.rule_id,
        max(case when o.date < p.date then o.date end) as last_date,
        max(case when o.date = p.date then o.date end) as date,
        min(case when o.date > p.date then o.date end) as next_date
    from p
    cross join rule as r
    left join (
        select
            d.rule_id,
            d.date
        from p
        cross join fact_rule_date as d
        left join fact_rule_ended_day as e
            on e.rule_id = d.rule_id and e.zone_id = p.zone_id and e.date = d.date and e.until_secs is null
        where e.date is null
    ) as o on o.rule_id = r.rule_id
    group by r.rule_id
)

select
    'rule' as section,
    r.rrule as subject,
    case
        when r.rule_error is not null then 'cannot be read'
        when r.is_every_day or o.date is not null then 'has an occurrence'
        else 'has no occurrence'
    end as value,
    coalesce(
        r.rule_error,
        'before: ' || coalesce(cast(o.last_date as varchar), 'none known') || ', after: '
        || coalesce(cast(o.next_date as varchar), 'none known')
    ) as note
from rule as r
inner join occurrence as o on o.rule_id = r.rule_id
order by r.rule_id
