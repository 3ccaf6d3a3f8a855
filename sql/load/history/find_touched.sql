-- The days and zones whose plays changed.
-- Reads: $kind, $load_id, core.play
-- Makes: temp.changed_day, temp.touched_zone
insert into temp.changed_day
select distinct
    getvariable('kind') as kind,
    date
from core.play
where last_load_id >= getvariable('load_id');

insert into temp.touched_zone
select distinct zone_id
from core.play
where last_load_id >= getvariable('load_id');
