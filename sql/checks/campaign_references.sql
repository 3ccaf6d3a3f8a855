-- Every cell of compliance finds its campaign, of the same kind, its zone and its date, and every link its campaign and
-- asset.
-- Severity: error

with campaign_used as (
    select distinct f.campaign_key, f.kind
    from mart.fact_campaign_zone_day as f
    inner join core.checked_day as d on d.date = f.date
),

zone_used as (
    select distinct f.zone_id
    from mart.fact_campaign_zone_day as f
    inner join core.checked_day as d on d.date = f.date
),

date_used as (
    select distinct f.date
    from mart.fact_campaign_zone_day as f
    inner join core.checked_day as d on d.date = f.date
)

select 'fact_campaign_zone_day.campaign_key' as key_name, cast(u.campaign_key as varchar) as key_text
from campaign_used as u
left join mart.dim_campaign as t on t.campaign_key = u.campaign_key and t.kind = u.kind
where t.campaign_key is null
union all
select 'fact_campaign_zone_day.zone_id' as key_name, cast(u.zone_id as varchar) as key_text
from zone_used as u
left join mart.dim_zone as t on t.zone_id = u.zone_id
where t.zone_id is null
union all
select 'fact_campaign_zone_day.date' as key_name, cast(u.date as varchar) as key_text
from date_used as u
left join mart.dim_date as t on t.date = u.date
where t.date is null
union all
select 'bridge_campaign_asset.campaign_key' as key_name, cast(b.campaign_key as varchar) as key_text
from mart.bridge_campaign_asset as b
left join mart.dim_campaign as t on t.campaign_key = b.campaign_key
where t.campaign_key is null
union all
select 'bridge_campaign_asset.item_key' as key_name, cast(b.item_key as varchar) as key_text
from mart.bridge_campaign_asset as b
left join mart.dim_item as t on t.item_key = b.item_key
where t.item_key is null
