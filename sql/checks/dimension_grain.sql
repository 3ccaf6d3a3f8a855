-- Keys are unique in dimensions, bridges and ledgers.
-- Severity: error

select
    'bridge_campaign_asset' as table_name,
    cast(campaign_key as varchar) || ', ' || cast(item_key as varchar) || ', ' || cast(linked_from as varchar) as key_text,
    count(*) as rows_found
from mart.bridge_campaign_asset group by campaign_key, item_key, linked_from having count(*) > 1
union all
select
    'bridge_zone_kind' as table_name,
    cast(zone_id as varchar) || ', ' || kind || ', ' || cast(valid_from as varchar) as key_text,
    count(*) as rows_found
from mart.bridge_zone_kind group by zone_id, kind, valid_from having count(*) > 1
union all
select
    'bridge_zone_location' as table_name,
    cast(zone_id as varchar) || ', ' || cast(location_id as varchar) as key_text,
    count(*) as rows_found
from mart.bridge_zone_location group by zone_id, location_id having count(*) > 1
union all
select 'dim_campaign' as table_name, cast(campaign_key as varchar) as key_text, count(*) as rows_found
from mart.dim_campaign group by campaign_key having count(*) > 1
union all
select
    'dim_campaign_target' as table_name,
    cast(campaign_key as varchar) || ', ' || cast(valid_from as varchar) as key_text,
    count(*) as rows_found
from mart.dim_campaign_target group by campaign_key, valid_from having count(*) > 1
union all
select 'bridge_group_zone' as table_name, cast(group_id as varchar) || ', ' || cast(zone_id as varchar) as key_text, count(*) as rows_found
from mart.bridge_group_zone group by group_id, zone_id having count(*) > 1
union all
select 'dim_artist' as table_name, cast(artist_id as varchar) as key_text, count(*) as rows_found
from mart.dim_artist group by artist_id having count(*) > 1
union all
select 'dim_daypart' as table_name, daypart as key_text, count(*) as rows_found
from mart.dim_daypart group by daypart having count(*) > 1
union all
select 'dim_date' as table_name, cast(date as varchar) as key_text, count(*) as rows_found
from mart.dim_date group by date having count(*) > 1
union all
select
    'dim_opening_hours' as table_name,
    cast(zone_id as varchar) || ', ' || cast(day_of_week as varchar) || ', ' || cast(opens_secs as varchar) as key_text,
    count(*) as rows_found
from mart.dim_opening_hours group by zone_id, day_of_week, opens_secs having count(*) > 1
union all
select 'dim_group' as table_name, cast(group_id as varchar) as key_text, count(*) as rows_found
from mart.dim_group group by group_id having count(*) > 1
union all
select 'dim_item' as table_name, cast(item_key as varchar) as key_text, count(*) as rows_found
from mart.dim_item group by item_key having count(*) > 1
union all
select 'dim_kind' as table_name, kind as key_text, count(*) as rows_found
from mart.dim_kind group by kind having count(*) > 1
union all
select 'dim_location' as table_name, cast(location_id as varchar) as key_text, count(*) as rows_found
from mart.dim_location group by location_id having count(*) > 1
union all
select 'dim_zone' as table_name, cast(zone_id as varchar) as key_text, count(*) as rows_found
from mart.dim_zone group by zone_id having count(*) > 1
union all
select 'fact_snapshot' as table_name, cast(snapshot_id as varchar) as key_text, count(*) as rows_found
from mart.fact_snapshot group by snapshot_id having count(*) > 1
union all
select 'fact_load' as table_name, cast(load_id as varchar) as key_text, count(*) as rows_found
from mart.fact_load group by load_id having count(*) > 1
union all
select 'fact_reject' as table_name, cast(load_id as varchar) || ', ' || cast(line_number as varchar) as key_text, count(*) as rows_found
from mart.fact_reject group by load_id, line_number having count(*) > 1
union all
select 'fact_restatement' as table_name, version || ', ' || kind || ', ' || cast(date as varchar) as key_text, count(*) as rows_found
from mart.fact_restatement group by version, kind, date having count(*) > 1
union all
select 'fact_unknown_field' as table_name, source || ', ' || coalesce(kind, '') || ', ' || field as key_text, count(*) as rows_found
from mart.fact_unknown_field group by source, kind, field having count(*) > 1
union all
select 'fact_freshness' as table_name, coalesce(cast(group_id as varchar), 'files') || ', ' || kind as key_text, count(*) as rows_found
from mart.fact_freshness group by group_id, kind having count(*) > 1
