-- Campaigns with an unusable rule, which are never scheduled. Covers the latest listing's rule while the campaign is
-- listed, and rules listed in the period. Also lists assets with unreadable dates, which are never active.

with broken as (
    select
        campaign_key,
        rrule,
        rule_error,
        cast(null as timestamp(6)) as until_at
    from dim_campaign
    where is_listed and rule_error is not null
    union all
    select
        f.campaign_key,
        f.rrule,
        coalesce(f.record_error, f.rule_error) as rule_error,
        cast(f.until_at as timestamp(6)) as until_at
    from fact_listed_campaign as f
    where
        coalesce(f.record_error, f.rule_error) is not null
        and cast(f.from_at as date) <= {{to}}
        and cast(coalesce(f.until_at, timestamp '9999-12-31 00:00:00') as date) >= {{from}}
    union all
    -- For an asset with unreadable dates, a load stores an end before its start.
    select
        f.campaign_key,
        cast(null as varchar) as rrule,
        'asset ' || cast(cast(floor(cast(f.item_key as double) / 4) as bigint) as varchar)
        || ' has an invalid date: it is treated as never active' as rule_error,
        cast(f.until_at as timestamp(6)) as until_at
    from fact_listed_asset as f
    where
        f.start_date = date '9999-12-31'
        and f.end_date = date '1000-01-01'
        and cast(f.from_at as date) <= {{to}}
        and cast(coalesce(f.until_at, timestamp '9999-12-31 00:00:00') as date) >= {{from}}
),

-- Several groups and zones may list the same campaign or asset.
known as (
    select
        campaign_key,
        rrule,
        rule_error,
        case when count(*) = count(until_at) then max(until_at) end as until_at
    from broken
    group by campaign_key, rrule, rule_error
)

select
    'rule_errors' as section,
    c.kind || ' campaign ' || cast(c.campaign_id as varchar)
    || case when coalesce(c.campaign_name, '') <> '' then ' (' || c.campaign_name || ')' else '' end as subject,
    coalesce(k.rrule, '') as value,
    k.rule_error
    || coalesce(
        '; listed this way until ' || substr(cast(k.until_at as varchar), 1, 10) || 'T'
        || substr(cast(k.until_at as varchar), 12, 8) || 'Z',
        ''
    ) as note
from known as k
inner join dim_campaign as c on c.campaign_key = k.campaign_key
where c.kind in ({{kinds}})
order by c.kind, c.campaign_id, case when k.until_at is null then 0 else 1 end, k.until_at desc, k.rrule
