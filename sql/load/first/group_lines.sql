-- The lines by the places and items that they name. ordinal: the place of the first such line among those that are
-- not blank, from 1.
create or replace temp table place_group as
select
    zone_id,
    location_id,
    place_hash,
    written_date(played_at, written_offset_minutes) as written_on,
    date,
    utc_offset_minutes,
    min(rowid) - getvariable('first_row') + 1 as ordinal,
    count(*) as lines,
    count(*) filter (where duration_secs = 0) as zero_second,
    sum(line_hash) as hash,
    min(played_at, 2) as first_two,
    max(played_at) as last_at,
    max(played_at) filter (where duration_secs > 0) as last_play_at
from core.play
where first_load_id = getvariable('load_id') and zone_id >= 0
group by zone_id, location_id, place_hash, written_on, date, utc_offset_minutes;

create or replace temp table item_group as
select
    item_id,
    artist_id,
    item_hash,
    min(rowid) - getvariable('first_row') + 1 as ordinal,
    count(*) as lines,
    min(played_at) as first_at,
    max(played_at) as last_at
from core.play
where first_load_id = getvariable('load_id') and zone_id >= 0
group by item_id, artist_id, item_hash;
