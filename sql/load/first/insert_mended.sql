-- Lines that JavaScript mended.
insert into core.play
select
    getvariable('kind') as kind,
    zone_id,
    item_id,
    played_at,
    played_at_local,
    utc_offset_minutes,
    written_offset_minutes,
    date,
    duration_secs,
    location_id,
    artist_id,
    getvariable('load_id') as first_load_id,
    getvariable('load_id') as last_load_id
from sound_record('mended_text')
