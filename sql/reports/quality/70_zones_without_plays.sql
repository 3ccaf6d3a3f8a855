-- Zones without any play in the period.

with played as (
    select distinct f.zone_id
    from fact_play_zone_day as f
    where f.date between {{from}} and {{to}} and f.kind in ({{kinds}})
)

select
    'zones_without_plays' as section,
    'zone ' || cast(z.zone_id as varchar)
    || case when z.zone_name <> 'Zone ' || cast(z.zone_id as varchar) then ' (' || z.zone_name || ')' else '' end
        as subject,
    coalesce(cast(z.last_play_date as varchar), 'never') as value,
    'date of its last play of any kind' as note
from dim_zone as z
left join played as f on f.zone_id = z.zone_id
where f.zone_id is null and z.zone_id in ({{zones}})
order by z.zone_id
