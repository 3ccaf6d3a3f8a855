-- One row per kind, zone, item, artist and calendar month with plays, for reports over many months.
--
-- Grain: kind, zone_id, item_key, artist_id, month
-- Reads: mart.fact_play_day
-- Built: month
-- Published: by month, ordered by zone_id, item_key, artist_id
-- Columns:
--   kind             = dim_kind.kind
--   zone_id          = fact_play.zone_id
--   item_key         = fact_play.item_key
--   artist_id        = fact_play_day.artist_id
--   month            Month (date) = dim_date.date: First day of the calendar month of the plays' local dates. Note: The
--                    month may not be over.
--   plays            = fact_play_day.plays
--   play_seconds     = fact_play_day.play_seconds
--   complete_plays   = fact_play_day.complete_plays
--   measured_plays   = fact_play_day.measured_plays
--   short_plays      = fact_play_day.short_plays

-- Not grouped by kind, which follows from the item: one grouping key fewer is faster.
with counted as (
    select
        zone_id,
        item_key,
        artist_id,
        cast(date_trunc('month', date) as date) as month,
        cast(sum(plays) as bigint) as plays,
        cast(sum(play_seconds) as bigint) as play_seconds,
        cast(sum(complete_plays) as bigint) as complete_plays,
        cast(sum(measured_plays) as bigint) as measured_plays,
        cast(sum(short_plays) as bigint) as short_plays
    from mart.fact_play_day
    group by zone_id, item_key, artist_id, cast(date_trunc('month', date) as date)
)

select
    case item_key % 4 when 0 then 'music' when 1 then 'signage' else 'messaging' end as kind,
    zone_id,
    item_key,
    artist_id,
    month,
    plays,
    play_seconds,
    complete_plays,
    measured_plays,
    short_plays
from counted
