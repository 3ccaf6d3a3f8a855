-- What a first load leaves for days and zones.
create or replace temp view loaded_record as
select *
from core.play
where first_load_id = getvariable('load_id');

create or replace temp table known_day as
select *
from core.day_fingerprint
where false;
