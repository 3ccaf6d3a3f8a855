-- Every kind, zone, item, artist and date in fact_play_day exists.
-- Severity: error

with kind_used as (
    select distinct f.kind
    from mart.fact_play_day as f
    inner join core.checked_day as d on d.date = f.date
),

zone_used as (
    select distinct f.zone_id
    from mart.fact_play_day as f
    inner join core.checked_day as d on d.date = f.date
),

item_used as (
    select distinct f.kind, f.item_key
    from mart.fact_play_day as f
    inner join core.checked_day as d on d.date = f.date
),

artist_used as (
    select distinct f.artist_id
    from mart.fact_play_day as f
    inner join core.checked_day as d on d.date = f.date
    where f.artist_id is not null
),

date_used as (
    select distinct f.date
    from mart.fact_play_day as f
    inner join core.checked_day as d on d.date = f.date
)

select 'kind' as key_name, u.kind as key_text
from kind_used as u
left join mart.dim_kind as t on t.kind = u.kind
where t.kind is null
union all
select 'zone_id' as key_name, cast(u.zone_id as varchar) as key_text
from zone_used as u
left join mart.dim_zone as t on t.zone_id = u.zone_id
where t.zone_id is null
union all
select 'item_key' as key_name, cast(u.item_key as varchar) as key_text
from item_used as u
left join mart.dim_item as t on t.item_key = u.item_key and t.kind = u.kind
where t.item_key is null
union all
select 'artist_id' as key_name, cast(u.artist_id as varchar) as key_text
from artist_used as u
left join mart.dim_artist as t on t.artist_id = u.artist_id
where t.artist_id is null
union all
select 'date' as key_name, cast(u.date as varchar) as key_text
from date_used as u
left join mart.dim_date as t on t.date = u.date
where t.date is null
