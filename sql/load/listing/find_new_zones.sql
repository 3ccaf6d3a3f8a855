-- Zones that a listing shows earlier than anything before, and, when the service's time zone is another than before,
-- those that have no other clock.
create or replace temp table touched_zone as
with listed as (
    select zone_id
    from core.device_snapshot
    where snapshot_id = getvariable('snapshot_id')
    union
    select zone_id
    from core.snapshot
    where snapshot_id = getvariable('snapshot_id') and zone_id is not null
),

first_day as (
    select
        zone_id,
        min(start_at) as start_at
    from core.zone_day
    group by zone_id
)

select l.zone_id
from listed as l
left join first_day as f on f.zone_id = l.zone_id
where f.start_at is null or f.start_at > getvariable('requested_at')
union
select f.zone_id
from first_day as f
anti join core.play as p on p.zone_id = f.zone_id and p.duration_secs > 0
where
    getvariable('source') = 'devices'
    and getvariable('service_time_zone')
    is distinct from (select coalesce(max(time_zone), 'UTC') from core.service_time_zone);

delete from core.service_time_zone
where getvariable('source') = 'devices';

insert into core.service_time_zone
select getvariable('service_time_zone') as time_zone
where getvariable('source') = 'devices';

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
