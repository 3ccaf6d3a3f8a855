-- Repeated lines, of a slice of instants in which there are some, become one record each.
create or replace temp table repeated_key as
select
    zone_id,
    item_id,
    played_at
from core.play
where
    first_load_id = getvariable('load_id')
    and played_at >= getvariable('slice_from')
    and played_at < getvariable('slice_to')
group by zone_id, item_id, played_at
having count(*) > 1;

create or replace temp view repeated_record as
select p.*
from core.play as p
semi join repeated_key as k on k.zone_id = p.zone_id and k.item_id = p.item_id and k.played_at = p.played_at
where p.first_load_id = getvariable('load_id');

create or replace temp table merged_repeat as
from merged_record('repeated_record');

-- Lines of one key on two written dates: how such dates are counted hangs on each other.
insert into entangled_day
select distinct
    p.zone_id,
    written_date(p.played_at, p.written_offset_minutes) as date
from repeated_record as p
semi join merged_repeat as m
    on m.zone_id = p.zone_id and m.item_id = p.item_id and m.played_at = p.played_at and m.has_two_offsets;

delete from core.play
using repeated_key as k
where
    play.first_load_id = getvariable('load_id')
    and play.zone_id = k.zone_id
    and play.item_id = k.item_id
    and play.played_at = k.played_at;

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
from merged_repeat;
