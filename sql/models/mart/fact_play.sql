-- One row per play: an item that started in a zone at an instant, and lasted longer than zero seconds.
--
-- Grain: kind, zone_id, played_at, item_key
-- Reads: staging.asset_newest, staging.play
-- Built: view
-- Without views: day
-- Published: by month, ordered by zone_id, played_at, item_key
-- Columns:
--   kind                 = dim_kind.kind
--   zone_id              = dim_zone.zone_id: Zone in which it played.
--   item_key             = dim_item.item_key: Item that played.
--   artist_id            = dim_artist.artist_id: Artist of the song; null for assets.
--   played_at            Began (instant): Start of the play, in UTC.
--   played_at_local      Began, local (local time): Start of the play, by the zone's clock.
--   utc_offset_minutes   Ahead of UTC (minutes): Offset of the zone's clock from UTC, east positive.
--   date                 = dim_date.date: Local date of the start; the whole play belongs to this date.
--   play_hour            Hour (ordinal): Local hour in which the plays began, 0 to 23.
--   duration_secs        Duration (seconds): Duration of the play.
--   is_complete          Complete (yes or no): Whether it lasted at least the asset's length, less 1 second; null if
--                        the length is unknown (always for music).
--   is_short             Short (yes or no): Whether a song lasted under 30 seconds; null for assets.

select
    p.kind,
    p.zone_id,
    p.item_key,
    p.artist_id,
    p.played_at,
    p.played_at_local,
    p.utc_offset_minutes,
    p.date,
    cast(hour(p.played_at_local) as integer) as play_hour,
    p.duration_secs,
    case when a.duration_secs is not null then p.duration_secs >= a.duration_secs - 1 end as is_complete,
    case when p.kind = 'music' then p.duration_secs < 30 end as is_short
from staging.play as p
left join staging.asset_newest as a on a.item_key = p.item_key
