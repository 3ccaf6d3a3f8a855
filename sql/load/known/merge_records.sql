-- New records into core, and changed ones changed.
insert into entangled_day
select distinct
    s.zone_id,
    written_date(s.played_at, s.written_offset_minutes) as date
from staged_record as s
semi join incoming as i
    on i.zone_id = s.zone_id and i.item_id = s.item_id and i.played_at = s.played_at and i.has_two_offsets;

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
from compared
where is_new;

update core.play
set
    played_at_local = c.played_at_local,
    utc_offset_minutes = c.utc_offset_minutes,
    written_offset_minutes = c.written_offset_minutes,
    date = c.date,
    duration_secs = c.duration_secs,
    location_id = c.location_id,
    artist_id = c.artist_id,
    last_load_id = getvariable('load_id')
from compared as c
where c.is_changed and play.rowid = c.stored_row;

-- A play that moved to another written date: the lines of the old one would move it back.
delete from core.day_fingerprint
using compared as c
where
    day_fingerprint.kind = getvariable('kind')
    and c.is_changed
    and c.stored_offset_minutes <> c.written_offset_minutes
    and day_fingerprint.zone_id = c.zone_id
    and day_fingerprint.date = written_date(c.played_at, c.stored_offset_minutes);
