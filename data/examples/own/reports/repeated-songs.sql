-- Songs that one zone played more than 10 times on one day.
--
-- Title: Repeated songs
-- Headline: Over 10 plays of one song in a zone on one day: {count} times.
-- Columns:
--   repeats   Plays that day (count): Plays of the song in the zone on the day.
-- Links:
--   repeats   single-plays?from={date}&to={date}&zone={zone_id}&kind={kind}&item={item_id}

with counted as (
    select
        z.zone_id,
        z.date,
        f.item_key,
        cast(sum(f.plays) as bigint) as repeats
    from fact_play_day as f
    inner join chosen_zone_day as z on z.zone_id = f.zone_id and z.date = f.date
    group by z.zone_id, z.date, f.item_key
)

select
    c.date,
    c.zone_id,
    z.zone_name,
    i.kind,
    i.item_id,
    i.item_name,
    c.repeats
from counted as c
inner join dim_zone as z on z.zone_id = c.zone_id
inner join dim_item as i on i.item_key = c.item_key
where i.kind = 'music' and c.repeats > 10
order by c.repeats desc, c.date desc, c.zone_id, i.item_id
