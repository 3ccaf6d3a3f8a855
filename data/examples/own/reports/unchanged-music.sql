-- Zones whose music has been unchanged for longest: days since the last song that was new to the zone.
--
-- Title: Longest playlist without change
-- Columns:
--   songs           Songs (count): Different songs that the zone ever played.
--   newest_song_on  Last new song (date): Local date on which a song played in the zone for the first time.
--   unchanged_days  Days without change (count): Days from then to the zone's last play.
-- Links:
--   zone_name   plays?by=item&zone={zone_id}&kind=music

with first_played as (
    select
        f.zone_id,
        f.item_key,
        min(f.date) as date
    from fact_play_day as f
    inner join chosen_zone as z on z.zone_id = f.zone_id
    where f.kind = 'music'
    group by f.zone_id, f.item_key
),

newest as (
    select
        zone_id,
        count(*) as songs,
        max(date) as newest_song_on
    from first_played
    group by zone_id
)

select
    n.zone_id,
    z.zone_name,
    n.songs,
    n.newest_song_on,
    date_diff('day', n.newest_song_on, z.last_play_date) as unchanged_days
from newest as n
inner join dim_zone as z on z.zone_id = n.zone_id
order by unchanged_days desc, n.zone_id
