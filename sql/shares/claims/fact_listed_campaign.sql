-- The share's campaigns, and other campaigns that can claim the same plays, without their identity.

select
    s.kind,
    s.owner_kind,
    s.owner_id,
    coalesce(o.other_key, s.campaign_key) as campaign_key,
    s.is_enabled,
    s.add_date,
    s.start_date,
    s.end_date,
    case when s.record_error is not null then 'unreadable' end as record_error,
    s.rule_id,
    s.is_every_day,
    s.from_at,
    s.until_at
from whole.fact_listed_campaign as s
left join share.campaign as c on c.campaign_key = s.campaign_key
left join share.other as o on o.campaign_key = s.campaign_key
where c.campaign_key is not null or o.campaign_key is not null
