-- What a first load leaves for names, days and zones.
create or replace temp view loaded_record as
select *
from core.play
where kind = getvariable('kind');

create or replace temp table known_day as
select *
from core.day_fingerprint
where false;

create or replace temp table changed_day as
select distinct
    kind,
    date
from core.play
where kind = getvariable('kind');

create or replace temp table touched_zone as
select distinct zone_id
from core.play
where kind = getvariable('kind');
