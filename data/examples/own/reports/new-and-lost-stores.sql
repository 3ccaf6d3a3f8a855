-- Stores that played for the first time in the period, or last played in it, but not in its last 7 days.
--
-- Title: New and lost stores
-- Headline: {count} zones are new or lost.
-- Columns:
--   change   Change (text): new, or lost if nothing has played for 7 days.
-- Links:
--   zone_name   plays?by=date&zone={zone_id}

with span as (
    select
        min(date) as first_date,
        max(date) as last_date
    from period
)

select
    z.zone_id,
    d.zone_name,
    l.location_name,
    case when d.first_play_date >= s.first_date then 'new' else 'lost' end as change,
    d.first_play_date,
    d.last_play_date
from chosen_zone as z
inner join dim_zone as d on d.zone_id = z.zone_id
left join dim_location as l on l.location_id = d.location_id
cross join span as s
where
    d.first_play_date between s.first_date and s.last_date
    or (
        d.last_play_date between s.first_date and s.last_date
        and d.last_play_date <= cast(s.last_date - interval '7' day as date)
    )
order by change, d.first_play_date, z.zone_id
