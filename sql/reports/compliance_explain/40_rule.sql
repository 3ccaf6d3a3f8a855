-- The rules, and their occurrences around the day.
--
-- For: compliance
-- Reads: core.campaign_date, core.campaign_rule, core.listing_span, staging.listed_day, staging.rule_ended_day
-- Columns: as quality/10_published

with p as (
    select
        cast(? as varchar) as kind,
        cast(? as bigint) as campaign_id,
        cast(? as bigint) as zone_id,
        cast(? as date) as date
),

rule as (
    select distinct
        r.rule_id,
        r.rrule,
        r.rule_error,
        r.is_every_day
    from p
    inner join staging.listed_day as l
        on l.kind = p.kind and l.zone_id = p.zone_id and l.date = p.date and l.campaign_id = p.campaign_id
    inner join core.listing_span as s
        on s.kind = l.kind
        and s.owner_kind = l.owner_kind
        and s.owner_id = l.owner_id
        and s.campaign_id = l.campaign_id
        and s.from_at = l.from_at
    inner join core.campaign_rule as r on r.rule_id = s.rule_id
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
        cross join core.campaign_date as d
        left join staging.rule_ended_day as e
            on e.rule_id = d.rule_id and e.zone_id = p.zone_id and e.date = d.date
        where e.date is null
    ) as o on o.rule_id = r.rule_id
    group by r.rule_id
)

select
    'rule' as section,
    r.rrule as subject,
    case
        when r.rule_error is not null then 'can not be read'
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
