-- The plays: history records that lasted longer than zero seconds.
--
-- Grain: kind, zone_id, played_at, item_key
-- Reads: core.play
-- Built: view
-- Without views: reader
-- Columns:
--   kind                 music, signage or messaging.
--   zone_id              Zone it played in.
--   item_key             What played: item_id * 4 + 0 for music, 1 for signage, 2 for messaging.
--   artist_id            Artist of the song; null for assets.
--   played_at            Instant it began, in UTC.
--   played_at_local      When it began by the zone's clock.
--   utc_offset_minutes   What the zone's clock was ahead of UTC.
--   date                 Local date on which it began.
--   duration_secs        How long it played, in seconds.

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
