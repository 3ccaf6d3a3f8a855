-- Zones without any play in the period.
--
-- Reads: chosen_zone, fact_play_zone_day, p
-- Columns: as quality/10_published

with played as (
    select distinct f.zone_id
    from p
    inner join fact_play_zone_day as f on f.date between p.date_from and p.date_to
    where p.kinds = '' or position(',' || f.kind || ',' in p.kinds) > 0
)

select
    'zones_without_plays' as section,
    'zone ' || cast(z.zone_id as varchar)
    || case when z.zone_name <> 'Zone ' || cast(z.zone_id as varchar) then ' (' || z.zone_name || ')' else '' end
        as subject,
    coalesce(cast(z.last_play_date as varchar), 'never') as value,
    'date of its last play of any kind' as note
from chosen_zone as z
left join played as f on f.zone_id = z.zone_id
where f.zone_id is null
order by z.zone_id
