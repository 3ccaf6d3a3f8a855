-- The token's campaigns. If one belonged to another customer in its latest listing, its name is from an earlier one.

with named as (
    select
        t.campaign_key,
        max_by(trim(t.campaign_name), t.last_seen_at) as campaign_name
    from whole.fact_listed_campaign as t
    inner join share.span as c
        on c.campaign_key = t.campaign_key
        and t.from_at < c.valid_to + interval '1' day
        and coalesce(t.until_at, timestamp '9999-12-31 00:00:00') > c.valid_from
    where trim(t.campaign_name) <> ''
    group by t.campaign_key
),

owned as (
    select
        t.*,
        exists (
            select 1
            from share.span as c
            where
                c.campaign_key = t.campaign_key
                and cast(t.last_seen_at as date) between c.valid_from and c.valid_to
        ) as is_now
    from whole.dim_campaign as t
    where t.campaign_key in (select c.campaign_key from share.campaign as c)
)

select
    t.* exclude (is_now) replace (
        case
            when t.is_now then t.campaign_name
            else coalesce(n.campaign_name, 'Campaign ' || cast(t.campaign_id as varchar))
        end as campaign_name,
        case when t.is_now then t.start_date end as start_date,
        case when t.is_now then t.end_date end as end_date,
        case when t.is_now then t.rrule end as rrule,
        case when t.is_now then t.rule_error end as rule_error,
        t.is_listed and t.is_now as is_listed
    )
from owned as t
left join named as n on n.campaign_key = t.campaign_key
