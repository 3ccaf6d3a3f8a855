-- Keys are unique in campaign days, listings, rules, zone hours and clock changes.
-- Severity: error

select
    'fact_campaign_zone_day' as table_name,
    cast(f.campaign_key as varchar)
    || ', ' || cast(f.zone_id as varchar)
    || ', ' || cast(f.date as varchar) as key_text,
    count(*) as rows_found
from mart.fact_campaign_zone_day as f
inner join core.checked_day as d on d.date = f.date
group by f.campaign_key, f.zone_id, f.date
having count(*) > 1
union all
select
    'fact_zone_day_listing' as table_name,
    f.kind
    || ', ' || cast(f.zone_id as varchar)
    || ', ' || cast(f.date as varchar)
    || ', ' || f.owner_kind
    || ' ' || cast(f.owner_id as varchar) as key_text,
    count(*) as rows_found
from mart.fact_zone_day_listing as f
inner join core.checked_day as d on d.date = f.date
group by f.kind, f.zone_id, f.date, f.owner_kind, f.owner_id
having count(*) > 1
union all
select
    'bridge_zone_listing' as table_name,
    kind || ', ' || cast(zone_id as varchar) || ', ' || owner_kind || ' ' || cast(owner_id as varchar) as key_text,
    count(*) as rows_found
from mart.bridge_zone_listing
group by kind, zone_id, owner_kind, owner_id
having count(*) > 1
union all
select
    'fact_listed_campaign' as table_name,
    kind
    || ', ' || owner_kind
    || ' ' || cast(owner_id as varchar)
    || ', ' || cast(campaign_key as varchar)
    || ', ' || substr(cast(from_at as varchar), 1, 19) as key_text,
    count(*) as rows_found
from mart.fact_listed_campaign
group by kind, owner_kind, owner_id, campaign_key, from_at
having count(*) > 1
union all
select
    'fact_listed_asset' as table_name,
    kind
    || ', ' || owner_kind
    || ' ' || cast(owner_id as varchar)
    || ', ' || cast(campaign_key as varchar)
    || ', ' || cast(item_key as varchar)
    || ', ' || substr(cast(from_at as varchar), 1, 19) as key_text,
    count(*) as rows_found
from mart.fact_listed_asset
group by kind, owner_kind, owner_id, campaign_key, item_key, from_at
having count(*) > 1
union all
select
    'fact_rule_date' as table_name,
    cast(rule_id as varchar) || ', ' || cast(date as varchar) as key_text,
    count(*) as rows_found
from mart.fact_rule_date
group by rule_id, date
having count(*) > 1
union all
select
    'fact_rule_ended_day' as table_name,
    cast(rule_id as varchar) || ', ' || cast(zone_id as varchar) || ', ' || cast(date as varchar) as key_text,
    count(*) as rows_found
from mart.fact_rule_ended_day
group by rule_id, zone_id, date
having count(*) > 1
union all
select
    'fact_zone_hours' as table_name,
    cast(f.zone_id as varchar)
    || ', ' || cast(f.date as varchar)
    || ', ' || cast(f.opens_secs as varchar)
    || ', ' || cast(f.closes_secs as varchar) as key_text,
    count(*) as rows_found
from mart.fact_zone_hours as f
inner join core.checked_day as d on d.date = f.date
group by f.zone_id, f.date, f.opens_secs, f.closes_secs
having count(*) > 1
union all
select
    'fact_clock_change' as table_name,
    cast(zone_id as varchar) || ', ' || cast(date as varchar) as key_text,
    count(*) as rows_found
from mart.fact_clock_change
group by zone_id, date
having count(*) > 1
