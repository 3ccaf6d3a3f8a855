-- Keys are unique in attributes, and the ranges of days of one attribute do not overlap.
-- Severity: error

select
    'dim_zone_attribute' as table_name,
    cast(zone_id as varchar) as key_text
from mart.dim_zone_attribute
group by zone_id
having count(*) > 1
union all
select
    'dim_campaign_attribute' as table_name,
    cast(campaign_key as varchar) as key_text
from mart.dim_campaign_attribute
group by campaign_key
having count(*) > 1
union all
select
    'dim_item_attribute' as table_name,
    cast(item_key as varchar) as key_text
from mart.dim_item_attribute
group by item_key
having count(*) > 1
union all
select
    'bridge_zone_attribute' as table_name,
    cast(zone_id as varchar) || ', ' || attribute_name || ', ' || cast(valid_from as varchar) as key_text
from (
    select
        b.*,
        lag(valid_to) over (partition by zone_id, attribute_name order by valid_from, valid_to) as last_valid_to
    from mart.bridge_zone_attribute as b
) as ranged
where valid_from <= last_valid_to or valid_to < valid_from
union all
select
    'bridge_campaign_attribute' as table_name,
    cast(campaign_key as varchar) || ', ' || attribute_name || ', ' || cast(valid_from as varchar) as key_text
from (
    select
        b.*,
        lag(valid_to) over (partition by campaign_key, attribute_name order by valid_from, valid_to) as last_valid_to
    from mart.bridge_campaign_attribute as b
) as ranged
where valid_from <= last_valid_to or valid_to < valid_from
union all
select
    'bridge_item_attribute' as table_name,
    cast(item_key as varchar) || ', ' || attribute_name || ', ' || cast(valid_from as varchar) as key_text
from (
    select
        b.*,
        lag(valid_to) over (partition by item_key, attribute_name order by valid_from, valid_to) as last_valid_to
    from mart.bridge_item_attribute as b
) as ranged
where valid_from <= last_valid_to or valid_to < valid_from
