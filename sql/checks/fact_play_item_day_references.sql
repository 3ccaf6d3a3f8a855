-- Every kind, item, artist and date in fact_play_item_day exists.
-- Severity: error

with used as (
    select
        f.kind,
        f.item_key,
        f.artist_id,
        f.date
    from mart.fact_play_item_day as f
    inner join core.checked_day as d on d.date = f.date
)

select 'kind' as key_name, u.kind as key_text
from used as u
left join mart.dim_kind as t on t.kind = u.kind
where t.kind is null
union all
select 'item_key' as key_name, cast(u.item_key as varchar) as key_text
from used as u
left join mart.dim_item as t on t.item_key = u.item_key and t.kind = u.kind
where t.item_key is null
union all
select 'artist_id' as key_name, cast(u.artist_id as varchar) as key_text
from used as u
left join mart.dim_artist as t on t.artist_id = u.artist_id
where u.artist_id is not null and t.artist_id is null
union all
select 'date' as key_name, cast(u.date as varchar) as key_text
from used as u
left join mart.dim_date as t on t.date = u.date
where t.date is null
