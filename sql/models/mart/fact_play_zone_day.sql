-- One row per kind, zone and local day on which anything of the kind played there: fact_play_day without items, for what
-- is asked of zones and days whatever played.
--
-- Grain: kind, zone_id, date
-- Reads: mart.fact_play_day
-- Built: day
-- Published: by month, ordered by zone_id, date, kind
-- Columns:
--   kind              music, signage or messaging (dim_kind).
--   zone_id           Zone it played in (dim_zone).
--   date              Local date on which the plays began (dim_date).
--   plays             Number of plays.
--   play_seconds      How long they played together, in seconds.
--   complete_plays    Plays to within a second of the asset's length, among measured_plays.
--   measured_plays    Plays of an asset whose length is known.
--   short_plays       Plays of a song for less than 30 seconds.

select
    kind,
    zone_id,
    date,
    cast(sum(plays) as bigint) as plays,
    cast(sum(play_seconds) as bigint) as play_seconds,
    cast(sum(complete_plays) as bigint) as complete_plays,
    cast(sum(measured_plays) as bigint) as measured_plays,
    cast(sum(short_plays) as bigint) as short_plays
from mart.fact_play_day
group by kind, zone_id, date
