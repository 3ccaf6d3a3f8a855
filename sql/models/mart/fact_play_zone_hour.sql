-- One row per kind, zone, local day and hour in which plays of the kind began there: for what is asked of hours whatever
-- played.
--
-- Grain: kind, zone_id, date, play_hour
-- Reads: mart.fact_play
-- Built: day
-- Published: by month, ordered by zone_id, date, play_hour, kind
-- Columns:
--   kind              music, signage or messaging (dim_kind).
--   zone_id           Zone it played in (dim_zone).
--   date              Local date on which the plays began (dim_date).
--   play_hour         Local hour in which they began, 0 to 23.
--   plays             Number of plays.
--   play_seconds      How long they played together, in seconds.
--   complete_plays    Plays to within a second of the asset's length, among measured_plays.
--   measured_plays    Plays of an asset whose length is known.
--   short_plays       Plays of a song for less than 30 seconds.

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
