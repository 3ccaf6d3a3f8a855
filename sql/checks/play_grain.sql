-- Nothing is counted twice: keys are unique in fact_play, fact_play_day, fact_play_month, fact_play_item_day,
-- fact_play_zone_day and fact_play_zone_hour. (The kind follows from item_key.)
-- Severity: error

-- Items with more than one row per day and zone: several artists, or a duplicate row.
with multi_row_item as (
    select
        f.zone_id,
        f.item_key,
        f.date
    from mart.fact_play_day as f
    inner join core.checked_day as d on d.date = f.date
    group by f.zone_id, f.item_key, f.date
    having count(*) > 1
),

-- Duplicate plays are looked for only among items with several plays on a day, which avoids sorting all plays.
repeated_item as (
    select *
    from multi_row_item
    union
    select
        f.zone_id,
        f.item_key,
        f.date
    from mart.fact_play_day as f
    inner join core.checked_day as d on d.date = f.date
    where f.plays > 1
),

-- Filtered by day before the join on many keys, which would otherwise process all plays.
play as (
    select
        p.zone_id,
        p.item_key,
        p.played_at,
        p.date
    from mart.fact_play as p
    inner join core.checked_day as d on d.date = p.date
)

select
    'fact_play' as table_name,
    p.zone_id,
    p.item_key,
    substr(cast(p.played_at as varchar), 1, 19) as key_text,
    count(*) as rows_found
from play as p
inner join repeated_item as c on c.zone_id = p.zone_id and c.item_key = p.item_key and c.date = p.date
group by p.zone_id, p.item_key, p.played_at
having count(*) > 1
union all
select
    'fact_play_day' as table_name,
    f.zone_id,
    f.item_key,
    cast(f.date as varchar) || ', ' || coalesce(cast(f.artist_id as varchar), '') as key_text,
    count(*) as rows_found
from mart.fact_play_day as f
inner join multi_row_item as s on s.zone_id = f.zone_id and s.item_key = f.item_key and s.date = f.date
group by f.zone_id, f.item_key, f.date, f.artist_id
having count(*) > 1
union all
select
    'fact_play_month' as table_name,
    f.zone_id,
    f.item_key,
    cast(f.month as varchar) || ', ' || coalesce(cast(f.artist_id as varchar), '') as key_text,
    count(*) as rows_found
from mart.fact_play_month as f
where f.month in (select cast(date_trunc('month', date) as date) from core.checked_day)
group by f.zone_id, f.item_key, f.month, f.artist_id
having count(*) > 1
union all
select
    'fact_play_zone_day' as table_name,
    f.zone_id,
    cast(null as bigint) as item_key,
    cast(f.date as varchar) || ', ' || f.kind as key_text,
    count(*) as rows_found
from mart.fact_play_zone_day as f
inner join core.checked_day as d on d.date = f.date
group by f.zone_id, f.date, f.kind
having count(*) > 1
union all
select
    'fact_play_item_day' as table_name,
    cast(null as bigint) as zone_id,
    f.item_key,
    cast(f.date as varchar) || ', ' || coalesce(cast(f.artist_id as varchar), '') as key_text,
    count(*) as rows_found
from mart.fact_play_item_day as f
inner join core.checked_day as d on d.date = f.date
group by f.item_key, f.date, f.artist_id
having count(*) > 1
union all
select
    'fact_play_zone_hour' as table_name,
    f.zone_id,
    cast(null as bigint) as item_key,
    cast(f.date as varchar) || ', ' || cast(f.play_hour as varchar) || ', ' || f.kind as key_text,
    count(*) as rows_found
from mart.fact_play_zone_hour as f
inner join core.checked_day as d on d.date = f.date
group by f.zone_id, f.date, f.play_hour, f.kind
having count(*) > 1
