-- Campaign days, listings, rules, zone hours and clock changes refer only to campaigns, assets, zones, dates and rules
-- that exist.
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
union all
select 'fact_zone_day_listing.zone_id' as key_name, cast(u.zone_id as varchar) as key_text
from (
    select distinct f.zone_id
    from mart.fact_zone_day_listing as f
    inner join core.checked_day as d on d.date = f.date
) as u
left join mart.dim_zone as t on t.zone_id = u.zone_id
where t.zone_id is null
union all
select 'fact_zone_day_listing.date' as key_name, cast(u.date as varchar) as key_text
from (
    select distinct f.date
    from mart.fact_zone_day_listing as f
    inner join core.checked_day as d on d.date = f.date
) as u
left join mart.dim_date as t on t.date = u.date
where t.date is null
union all
select 'bridge_zone_listing.zone_id' as key_name, cast(b.zone_id as varchar) as key_text
from mart.bridge_zone_listing as b
left join mart.dim_zone as t on t.zone_id = b.zone_id
where t.zone_id is null
union all
select 'fact_listed_campaign.campaign_key' as key_name, cast(b.campaign_key as varchar) as key_text
from mart.fact_listed_campaign as b
left join mart.dim_campaign as t on t.campaign_key = b.campaign_key
where t.campaign_key is null
union all
select 'fact_listed_asset.campaign_key' as key_name, cast(b.campaign_key as varchar) as key_text
from mart.fact_listed_asset as b
left join mart.dim_campaign as t on t.campaign_key = b.campaign_key
where t.campaign_key is null
union all
select 'fact_listed_asset.item_key' as key_name, cast(b.item_key as varchar) as key_text
from mart.fact_listed_asset as b
left join mart.dim_item as t on t.item_key = b.item_key
where t.item_key is null
union all
select 'fact_rule_ended_day.zone_id' as key_name, cast(b.zone_id as varchar) as key_text
from mart.fact_rule_ended_day as b
left join mart.dim_zone as t on t.zone_id = b.zone_id
where t.zone_id is null
union all
select 'fact_rule_ended_day.date' as key_name, cast(b.date as varchar) as key_text
from mart.fact_rule_ended_day as b
left join mart.dim_date as t on t.date = b.date
where t.date is null
union all
select 'fact_rule_ended_day.rule_id' as key_name, cast(b.rule_id as varchar) as key_text
from (select distinct rule_id from mart.fact_rule_ended_day) as b
left join mart.fact_rule_date as t on t.rule_id = b.rule_id
where t.rule_id is null
union all
select 'fact_rule_date.rule_id' as key_name, cast(b.rule_id as varchar) as key_text
from (select distinct rule_id from mart.fact_rule_date) as b
left join mart.fact_listed_campaign as t on t.rule_id = b.rule_id
where t.rule_id is null
union all
select 'fact_zone_hours.zone_id' as key_name, cast(b.zone_id as varchar) as key_text
from (select distinct zone_id from mart.fact_zone_hours) as b
left join mart.dim_zone as t on t.zone_id = b.zone_id
where t.zone_id is null
union all
select 'fact_zone_hours.date' as key_name, cast(b.date as varchar) as key_text
from (select distinct date from mart.fact_zone_hours) as b
left join mart.dim_date as t on t.date = b.date
where t.date is null
union all
select 'fact_clock_change.zone_id' as key_name, cast(b.zone_id as varchar) as key_text
from (select distinct zone_id from mart.fact_clock_change) as b
left join mart.dim_zone as t on t.zone_id = b.zone_id
where t.zone_id is null
union all
select 'fact_clock_change.date' as key_name, cast(b.date as varchar) as key_text
from (select distinct date from mart.fact_clock_change) as b
left join mart.dim_date as t on t.date = b.date
where t.date is null
