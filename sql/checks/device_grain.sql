-- Keys are unique in the tables of devices, outages, notices and components.
-- Severity: error

select 'dim_device' as table_name, cast(device_id as varchar) as key_text, count(*) as rows_found
from mart.dim_device group by device_id having count(*) > 1
union all
select 'dim_component' as table_name, cast(component_id as varchar) as key_text, count(*) as rows_found
from mart.dim_component group by component_id having count(*) > 1
union all
select 'dim_notice' as table_name, cast(notice_id as varchar) as key_text, count(*) as rows_found
from mart.dim_notice group by notice_id having count(*) > 1
union all
select 'fact_outage' as table_name, outage_key as key_text, count(*) as rows_found
from mart.fact_outage group by outage_key having count(*) > 1
union all
select 'bridge_outage_notice' as table_name, outage_key || ', ' || cast(notice_id as varchar) as key_text, count(*) as rows_found
from mart.bridge_outage_notice group by outage_key, notice_id having count(*) > 1
union all
select
    'bridge_device_firmware' as table_name,
    cast(device_id as varchar) || ', ' || cast(valid_from as varchar) as key_text,
    count(*) as rows_found
from mart.bridge_device_firmware group by device_id, valid_from having count(*) > 1
union all
select
    'fact_device_day' as table_name,
    cast(f.device_id as varchar) || ', ' || cast(f.zone_id as varchar) || ', ' || cast(f.date as varchar) as key_text,
    count(*) as rows_found
from mart.fact_device_day as f
inner join core.checked_day as d on d.date = f.date
group by f.device_id, f.zone_id, f.date
having count(*) > 1
union all
select 'fact_zone_opening' as table_name, cast(zone_id as varchar) || ', ' || substr(cast(opens_at as varchar), 1, 19) as key_text, count(*) as rows_found
from mart.fact_zone_opening group by zone_id, opens_at having count(*) > 1
union all
select
    'fact_zone_uptime' as table_name,
    cast(f.zone_id as varchar) || ', ' || cast(f.date as varchar) as key_text,
    count(*) as rows_found
from mart.fact_zone_uptime as f
inner join core.checked_day as d on d.date = f.date
group by f.zone_id, f.date
having count(*) > 1
union all
select
    'fact_clock_ahead' as table_name,
    cast(f.device_id as varchar)
    || ', ' || cast(f.zone_id as varchar)
    || ', ' || cast(f.date as varchar)
    || ', ' || f.date_time as key_text,
    count(*) as rows_found
from mart.fact_clock_ahead as f
inner join core.checked_day as d on d.date = f.date
group by f.device_id, f.zone_id, f.date, f.date_time
having count(*) > 1
union all
select 'fact_device_state' as table_name, cast(device_id as varchar) || ', ' || substr(cast(from_at as varchar), 1, 19) as key_text, count(*) as rows_found
from mart.fact_device_state group by device_id, from_at having count(*) > 1
union all
select
    'fact_silence' as table_name,
    cast(f.device_id as varchar)
    || ', ' || cast(f.zone_id as varchar)
    || ', ' || substr(cast(f.from_at as varchar), 1, 19) as key_text,
    count(*) as rows_found
from mart.fact_silence as f
inner join core.checked_day as d on d.date = f.date
group by f.device_id, f.zone_id, f.date, f.from_at
having count(*) > 1
