-- Every key exists that dimensions, bridges and ledgers refer to.
-- Severity: error

select 'dim_zone.location_id' as key_name, cast(f.location_id as varchar) as key_text
from mart.dim_zone as f
left join mart.dim_location as t on t.location_id = f.location_id
where f.location_id is not null and t.location_id is null
union all
select 'dim_zone.home_group_id' as key_name, cast(f.home_group_id as varchar) as key_text
from mart.dim_zone as f
left join mart.dim_group as t on t.group_id = f.home_group_id
where f.home_group_id is not null and t.group_id is null
union all
select 'bridge_group_zone.group_id' as key_name, cast(f.group_id as varchar) as key_text
from mart.bridge_group_zone as f
left join mart.dim_group as t on t.group_id = f.group_id
where t.group_id is null
union all
select 'bridge_group_zone.zone_id' as key_name, cast(f.zone_id as varchar) as key_text
from mart.bridge_group_zone as f
left join mart.dim_zone as t on t.zone_id = f.zone_id
where t.zone_id is null
union all
select 'bridge_zone_location.zone_id' as key_name, cast(f.zone_id as varchar) as key_text
from mart.bridge_zone_location as f
left join mart.dim_zone as t on t.zone_id = f.zone_id
where t.zone_id is null
union all
select 'bridge_zone_location.location_id' as key_name, cast(f.location_id as varchar) as key_text
from mart.bridge_zone_location as f
left join mart.dim_location as t on t.location_id = f.location_id
where t.location_id is null
union all
select 'fact_load.group_id' as key_name, cast(f.group_id as varchar) as key_text
from mart.fact_load as f
left join mart.dim_group as t on t.group_id = f.group_id
where f.group_id is not null and t.group_id is null
union all
select 'fact_load.zone_id' as key_name, cast(f.zone_id as varchar) as key_text
from mart.fact_load as f
left join mart.dim_zone as t on t.zone_id = f.zone_id
where f.zone_id is not null and t.zone_id is null
union all
select 'fact_snapshot.group_id' as key_name, cast(f.group_id as varchar) as key_text
from mart.fact_snapshot as f
left join mart.dim_group as t on t.group_id = f.group_id
where f.group_id is not null and t.group_id is null
union all
select 'fact_snapshot.zone_id' as key_name, cast(f.zone_id as varchar) as key_text
from mart.fact_snapshot as f
left join mart.dim_zone as t on t.zone_id = f.zone_id
where f.zone_id is not null and t.zone_id is null
union all
select 'fact_reject.load_id' as key_name, cast(f.load_id as varchar) as key_text
from mart.fact_reject as f
left join mart.fact_load as t on t.load_id = f.load_id
where t.load_id is null
union all
select 'fact_restatement.date' as key_name, cast(f.date as varchar) as key_text
from mart.fact_restatement as f
left join mart.dim_date as t on t.date = f.date
where t.date is null
union all
select 'fact_freshness.group_id' as key_name, cast(f.group_id as varchar) as key_text
from mart.fact_freshness as f
left join mart.dim_group as t on t.group_id = f.group_id
where f.group_id is not null and t.group_id is null
