-- The most played items: one row per item, most played first, up to the requested number.
--
-- For: plays
-- Reads: dim_item, fact_play_day, item_slot, p, zone_slot
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
    inner join zone_slot as z on z.zone_id = f.zone_id and f.date between z.slot_from and z.slot_to
    left join item_slot as t on t.item_key = f.item_key and f.date between t.slot_from and t.slot_to
    where
        f.date between p.date_from and p.date_to
        and (p.kinds = '' or position(',' || f.kind || ',' in p.kinds) > 0)
        and ('item' not in (p.slot_1_of, p.slot_2_of, p.slot_3_of) or t.item_key is not null)
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
