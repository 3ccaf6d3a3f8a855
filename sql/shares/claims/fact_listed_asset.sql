-- Assets of the share's campaigns, and of other campaigns that can claim the same plays, without their identity.

select
    s.kind,
    s.owner_kind,
    s.owner_id,
    coalesce(o.other_key, s.campaign_key) as campaign_key,
    coalesce(i.item_key, -1) as item_key,
    s.start_date,
    s.end_date,
    s.from_at,
    s.until_at
from whole.fact_listed_asset as s
left join share.campaign as c on c.campaign_key = s.campaign_key
left join share.other as o on o.campaign_key = s.campaign_key
left join share.item as i on i.item_key = s.item_key
where c.campaign_key is not null or o.campaign_key is not null
