-- The most played items: one row per item, most played first, up to the requested number.
--
-- For: plays
-- Reads: chosen_zone, dim_item, fact_play_day, p
-- Columns:
--   kind        = dim_item.kind
--   item_id     = dim_item.item_id
--   item_name   = dim_item.item_name
--   plays       = fact_play_day.plays

with counted as (
    select
        f.item_key,
        cast(sum(f.plays) as bigint) as plays
    from p
    cross join fact_play_day as f
    inner join chosen_zone as z on z.zone_id = f.zone_id
    where
        f.date between p.date_from and p.date_to
        and (p.kinds = '' or position(',' || f.kind || ',' in p.kinds) > 0)
    group by f.item_key
),

ranked as (
    select
        counted.*,
        row_number() over (order by plays desc, item_key) as place
    from counted
)

select
    i.kind,
    i.item_id,
    i.item_name,
    r.plays
from p
inner join ranked as r on r.place <= p.top_rows
left join dim_item as i on i.item_key = r.item_key
order by r.place
