-- How many plays began on each local date: one row per date on which anything played, in order of time. Lists of ids and
-- kinds are text such as `,3,14,`; an empty text means all.
--
-- For: plays
-- Reads: bridge_group_zone, dim_zone, fact_play_zone_day
-- Columns:
--   date    = fact_play_day.date
--   plays   = fact_play_day.plays

with p as (
    select
        cast(? as date) as date_from,
        cast(? as date) as date_to, -- inclusive
        cast(? as varchar) as group_ids,
        cast(? as varchar) as zone_ids,
        cast(? as varchar) as location_ids,
        cast(? as varchar) as kinds
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
)

select
    f.date,
    cast(sum(f.plays) as bigint) as plays
from p
cross join fact_play_zone_day as f
inner join chosen_zone as z on z.zone_id = f.zone_id
where
    f.date between p.date_from and p.date_to
    and (p.kinds = '' or position(',' || f.kind || ',' in p.kinds) > 0)
group by f.date
order by f.date
