-- No play is counted twice: the key of fact_play is unique. (The kind follows from item_key.)
-- Severity: error

-- Searches only items with several plays on a day, which avoids sorting all plays.
with repeated_item as (
    select
        f.zone_id,
        f.item_key,
        f.date
    from mart.fact_play_day as f
    inner join core.checked_day as d on d.date = f.date
    group by f.zone_id, f.item_key, f.date
    having count(*) > 1 or max(f.plays) > 1
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
