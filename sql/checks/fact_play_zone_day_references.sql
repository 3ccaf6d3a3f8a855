-- Every kind, zone and date in fact_play_zone_day exists.
-- Severity: error

with used as (
    select
        f.kind,
        f.zone_id,
        f.date
    from mart.fact_play_zone_day as f
    inner join core.checked_day as d on d.date = f.date
)

select 'kind' as key_name, u.kind as key_text
from used as u
left join mart.dim_kind as t on t.kind = u.kind
where t.kind is null
union all
select 'zone_id' as key_name, cast(u.zone_id as varchar) as key_text
from used as u
left join mart.dim_zone as t on t.zone_id = u.zone_id
where t.zone_id is null
union all
select 'date' as key_name, cast(u.date as varchar) as key_text
from used as u
left join mart.dim_date as t on t.date = u.date
where t.date is null
