-- Which dates and zones a first load changed, and when it saw them play last.
create or replace temp table changed_day as
select distinct
    getvariable('kind') as kind,
    date
from record_group;

create or replace temp table touched_zone as
select distinct zone_id
from record_group;

create or replace temp table seen_play as
select
    zone_id,
    date,
    utc_offset_minutes,
    max(last_play_at) as last_at
from record_group
where last_play_at is not null
group by zone_id, date, utc_offset_minutes;

set variable counted_load_id = getvariable('load_id');
