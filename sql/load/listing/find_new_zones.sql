-- Zones that a listing shows earlier than anything before, and, when the service's time zone is another than before,
-- those that have no other clock.
-- Reads: $service_time_zone, core.play, core.service_time_zone, core.zone_day, temp.device, temp.listing
-- Makes: core.service_time_zone, temp.touched_zone
insert into temp.touched_zone
with listed as (
    select
        s.zone_id,
        min(l.requested_at) as requested_at
    from (
        select place, zone_id from temp.device
        union all
        select place, zone_id from temp.listing where zone_id is not null
    ) as s
    inner join temp.listing as l on l.place = s.place
    group by s.zone_id
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
where f.start_at is null or f.start_at > l.requested_at
union
select f.zone_id
from first_day as f
anti join core.play as p on p.zone_id = f.zone_id and p.duration_secs > 0
where
    exists (select 1 from temp.listing where source = 'devices')
    and getvariable('service_time_zone')
    is distinct from (select coalesce(max(time_zone), 'UTC') from core.service_time_zone);

delete from core.service_time_zone
where exists (select 1 from temp.listing where source = 'devices');

insert into core.service_time_zone
select getvariable('service_time_zone') as time_zone
where exists (select 1 from temp.listing where source = 'devices')
