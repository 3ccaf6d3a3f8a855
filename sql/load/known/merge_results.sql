-- What a merge leaves for names, days and zones.
create or replace temp view loaded_record as
select *
from incoming;

create or replace temp table known_day as
select f.*
from core.day_fingerprint as f
semi join (select known_zone_id, known_date from seen_day where is_known) as d
    on d.known_zone_id = f.zone_id and d.known_date = f.date
where f.kind = getvariable('kind');

create or replace temp table changed_day as
select
    getvariable('kind') as kind,
    date
from compared
where is_new or is_changed
union
select
    getvariable('kind') as kind,
    stored_date as date
from compared
where is_changed;

create or replace temp table touched_zone as
select distinct zone_id
from compared
where is_new or is_changed;

-- All plays of these zones have to be looked at.
create or replace temp table seen_play as
select
    zone_id,
    date,
    utc_offset_minutes,
    played_at as last_at
from core.play
where false;

set variable counted_load_id = 0;

set variable has_other_plays = true;
