-- Every kind, zone, item, artist and month in fact_play_month exists.
-- Severity: error

with used as (
    select
        f.kind,
        f.zone_id,
        f.item_key,
        f.artist_id,
        f.month
    from mart.fact_play_month as f
    where f.month in (select cast(date_trunc('month', date) as date) from core.checked_day)
)

select 'kind' as key_name, u.kind as key_text
from (select distinct kind from used) as u
left join mart.dim_kind as t on t.kind = u.kind
where t.kind is null
union all
select 'zone_id' as key_name, cast(u.zone_id as varchar) as key_text
from (select distinct zone_id from used) as u
left join mart.dim_zone as t on t.zone_id = u.zone_id
where t.zone_id is null
union all
select 'item_key' as key_name, cast(u.item_key as varchar) as key_text
from (select distinct kind, item_key from used) as u
left join mart.dim_item as t on t.item_key = u.item_key and t.kind = u.kind
where t.item_key is null
union all
select 'artist_id' as key_name, cast(u.artist_id as varchar) as key_text
from (select distinct artist_id from used where artist_id is not null) as u
left join mart.dim_artist as t on t.artist_id = u.artist_id
where t.artist_id is null
union all
select 'month' as key_name, cast(u.month as varchar) as key_text
from (select distinct month from used) as u
left join mart.dim_date as t on t.date = u.month
where t.date is null
