-- What played most: one row per item, the most played first, as many as asked for. Lists of ids and kinds are text such
-- as `,3,14,`; an empty text means all.
--
-- For: plays
-- Reads: bridge_group_zone, dim_item, dim_zone, fact_play_day
-- Columns:
--   kind        = dim_item.kind
--   item_name   = dim_item.item_name
--   plays       = fact_play_day.plays

with p as (
    select
        cast(? as date) as date_from,
        cast(? as date) as date_to, -- inclusive
        cast(? as varchar) as group_ids,
        cast(? as varchar) as zone_ids,
        cast(? as varchar) as location_ids,
        cast(? as varchar) as kinds,
        cast(? as bigint) as top_rows
),

chosen_zone as (
    select z.zone_id
    from p
    cross join dim_zone as z
    where
        (p.zone_ids = '' or position(',' || cast(z.zone_id as varchar) || ',' in p.zone_ids) > 0)
        and (p.location_ids = '' or position(',' || cast(z.location_id as varchar) || ',' in p.location_ids) > 0)
        and (
            p.group_ids = ''
            or z.zone_id in (
                select b.zone_id
                from p
                cross join bridge_group_zone as b
                where position(',' || cast(b.group_id as varchar) || ',' in p.group_ids) > 0
            )
        )
),

counted as (
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
    i.item_name,
    r.plays
from p
inner join ranked as r on r.place <= p.top_rows
left join dim_item as i on i.item_key = r.item_key
order by r.place
