-- One row per play: a history record longer than zero seconds.
--
-- Grain: kind, zone_id, played_at, item_key
-- Reads: core.play
-- Built: view
-- Without views: reader
-- Columns:
--   kind                 music, signage or messaging.
--   zone_id              Zone in which it played.
--   item_key             Item that played: item_id * 4 + 0 for music, 1 for signage, 2 for messaging.
--   artist_id            Artist of the song; null for assets.
--   played_at            Start of the play, in UTC.
--   played_at_local      Start of the play, by the zone's clock.
--   utc_offset_minutes   Offset of the zone's clock from UTC, east positive.
--   date                 Local date of the start.
--   duration_secs        Duration in seconds.

select
    cast(kind as varchar) as kind,
    zone_id,
    item_id * 4 + case kind when 'music' then 0 when 'signage' then 1 else 2 end as item_key,
    artist_id,
    played_at,
    played_at_local,
    cast(utc_offset_minutes as integer) as utc_offset_minutes,
    date,
    duration_secs
from core.play
where duration_secs > 0
