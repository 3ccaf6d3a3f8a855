-- Zones without any play in the period.
--
-- Reads: bridge_group_zone, dim_zone, fact_play_zone_day
-- Columns: as quality/10_published

with p as (
    select
        cast(? as timestamp) as now_at,
        cast(? as date) as date_from,
        cast(? as date) as date_to,
        cast(? as varchar) as group_ids,
        cast(? as varchar) as zone_ids,
        cast(? as varchar) as location_ids,
        cast(? as varchar) as kinds
),

played as (
    select distinct f.zone_id
    from p
    inner join fact_play_zone_day as f on f.date between p.date_from and p.date_to
    where p.kinds = '' or position(',' || f.kind || ',' in p.kinds) > 0
),

chosen as (
    select z.*
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
    'zones_without_plays' as section,
    'zone ' || cast(z.zone_id as varchar)
    || case when z.zone_name <> 'Zone ' || cast(z.zone_id as varchar) then ' (' || z.zone_name || ')' else '' end
        as subject,
    coalesce(cast(z.last_play_date as varchar), 'never') as value,
    'date of its last play of any kind' as note
from chosen as z
left join played as f on f.zone_id = z.zone_id
where f.zone_id is null
order by z.zone_id
