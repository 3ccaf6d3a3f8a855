-- One row per kind, zone, local day and hour in which plays began, summed over all items, for reports by hour.
--
-- Grain: kind, zone_id, date, play_hour
-- Reads: mart.fact_play
-- Built: day
-- Published: by month, ordered by zone_id, date, play_hour, kind
-- Columns:
--   kind             = dim_kind.kind
--   zone_id          = fact_play.zone_id
--   date             = fact_play_day.date
--   play_hour        = fact_play.play_hour
--   plays            = fact_play_day.plays
--   play_seconds     = fact_play_day.play_seconds
--   complete_plays   = fact_play_day.complete_plays
--   measured_plays   = fact_play_day.measured_plays
--   short_plays      = fact_play_day.short_plays

select
    kind,
    zone_id,
    date,
    play_hour,
    count(*) as plays,
    cast(sum(duration_secs) as bigint) as play_seconds,
    count(case when is_complete then 1 end) as complete_plays,
    count(is_complete) as measured_plays,
    count(case when is_short then 1 end) as short_plays
from mart.fact_play
group by kind, zone_id, date, play_hour
