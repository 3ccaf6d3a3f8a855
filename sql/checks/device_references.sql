-- The tables of devices, outages and components refer only to keys that exist.
-- Severity: error

select 'dim_device.zone_id' as key_name, cast(f.zone_id as varchar) as key_text
from mart.dim_device as f
left join mart.dim_zone as t on t.zone_id = f.zone_id
where t.zone_id is null
union all
select 'dim_component.parent_id' as key_name, cast(f.parent_id as varchar) as key_text
from mart.dim_component as f
left join mart.dim_component as t on t.component_id = f.parent_id
where f.parent_id is not null and t.component_id is null
union all
select 'fact_outage.device_id' as key_name, cast(f.device_id as varchar) as key_text
from mart.fact_outage as f
left join mart.dim_device as t on t.device_id = f.device_id
where t.device_id is null
union all
select 'fact_outage.zone_id' as key_name, cast(f.zone_id as varchar) as key_text
from mart.fact_outage as f
left join mart.dim_zone as t on t.zone_id = f.zone_id
where t.zone_id is null
union all
select 'fact_outage.date' as key_name, cast(f.date as varchar) as key_text
from mart.fact_outage as f
left join mart.dim_date as t on t.date = f.date
where t.date is null
union all
select 'bridge_outage_notice.outage_key' as key_name, f.outage_key as key_text
from mart.bridge_outage_notice as f
left join mart.fact_outage as t on t.outage_key = f.outage_key
where t.outage_key is null
union all
select 'bridge_outage_notice.notice_id' as key_name, cast(f.notice_id as varchar) as key_text
from mart.bridge_outage_notice as f
left join mart.dim_notice as t on t.notice_id = f.notice_id
where t.notice_id is null
union all
select 'bridge_device_firmware.device_id' as key_name, cast(f.device_id as varchar) as key_text
from mart.bridge_device_firmware as f
left join mart.dim_device as t on t.device_id = f.device_id
where t.device_id is null
union all
select distinct 'fact_device_day.device_id' as key_name, cast(f.device_id as varchar) as key_text
from mart.fact_device_day as f
inner join core.checked_day as d on d.date = f.date
left join mart.dim_device as t on t.device_id = f.device_id
where t.device_id is null
union all
select distinct 'fact_device_day.zone_id' as key_name, cast(f.zone_id as varchar) as key_text
from mart.fact_device_day as f
inner join core.checked_day as d on d.date = f.date
left join mart.dim_zone as t on t.zone_id = f.zone_id
where t.zone_id is null
union all
select distinct 'fact_device_day.date' as key_name, cast(f.date as varchar) as key_text
from mart.fact_device_day as f
inner join core.checked_day as d on d.date = f.date
left join mart.dim_date as t on t.date = f.date
where t.date is null
union all
select distinct 'fact_zone_opening.zone_id' as key_name, cast(f.zone_id as varchar) as key_text
from mart.fact_zone_opening as f
left join mart.dim_zone as t on t.zone_id = f.zone_id
where t.zone_id is null
union all
select distinct 'fact_zone_opening.date' as key_name, cast(f.date as varchar) as key_text
from mart.fact_zone_opening as f
left join mart.dim_date as t on t.date = f.date
where t.date is null
union all
select distinct 'fact_zone_uptime.zone_id' as key_name, cast(f.zone_id as varchar) as key_text
from mart.fact_zone_uptime as f
inner join core.checked_day as d on d.date = f.date
left join mart.dim_zone as t on t.zone_id = f.zone_id
where t.zone_id is null
union all
select distinct 'fact_clock_ahead.device_id' as key_name, cast(f.device_id as varchar) as key_text
from mart.fact_clock_ahead as f
inner join core.checked_day as d on d.date = f.date
left join mart.dim_device as t on t.device_id = f.device_id
where t.device_id is null
union all
select distinct 'fact_clock_ahead.zone_id' as key_name, cast(f.zone_id as varchar) as key_text
from mart.fact_clock_ahead as f
inner join core.checked_day as d on d.date = f.date
left join mart.dim_zone as t on t.zone_id = f.zone_id
where t.zone_id is null
union all
select distinct 'fact_clock_ahead.date' as key_name, cast(f.date as varchar) as key_text
from mart.fact_clock_ahead as f
inner join core.checked_day as d on d.date = f.date
left join mart.dim_date as t on t.date = f.date
where t.date is null
union all
select distinct 'fact_zone_uptime.date' as key_name, cast(f.date as varchar) as key_text
from mart.fact_zone_uptime as f
inner join core.checked_day as d on d.date = f.date
left join mart.dim_date as t on t.date = f.date
where t.date is null
union all
select distinct 'fact_device_state.device_id' as key_name, cast(f.device_id as varchar) as key_text
from mart.fact_device_state as f
left join mart.dim_device as t on t.device_id = f.device_id
where t.device_id is null
union all
select distinct 'fact_device_state.zone_id' as key_name, cast(f.zone_id as varchar) as key_text
from mart.fact_device_state as f
left join mart.dim_zone as t on t.zone_id = f.zone_id
where t.zone_id is null
union all
select distinct 'fact_silence.device_id' as key_name, cast(f.device_id as varchar) as key_text
from mart.fact_silence as f
inner join core.checked_day as d on d.date = f.date
left join mart.dim_device as t on t.device_id = f.device_id
where t.device_id is null
union all
select distinct 'fact_silence.zone_id' as key_name, cast(f.zone_id as varchar) as key_text
from mart.fact_silence as f
inner join core.checked_day as d on d.date = f.date
left join mart.dim_zone as t on t.zone_id = f.zone_id
where t.zone_id is null
union all
select distinct 'fact_silence.date' as key_name, cast(f.date as varchar) as key_text
from mart.fact_silence as f
inner join core.checked_day as d on d.date = f.date
left join mart.dim_date as t on t.date = f.date
where t.date is null
