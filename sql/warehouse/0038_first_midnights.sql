-- A day whose midnight comes twice, as the zone's clock goes back to it, begins at the first; until now it began at the
-- second.
create temp table first_midnight as
with clock as (
    -- The named time zone, else, where a zone has no plays, the service's.
    select
        z.zone_id,
        coalesce(
            t.time_zone,
            case
                when p.zone_id is null then (select coalesce(max(time_zone), 'UTC') from core.service_time_zone)
            end
        ) as time_zone
    from (select distinct zone_id from core.zone_day) as z
    left join core.zone_time_zone as t on t.zone_id = z.zone_id
    left join (select distinct zone_id from core.play where duration_secs > 0) as p on p.zone_id = z.zone_id
),

started as (
    select
        z.zone_id,
        z.date,
        z.start_at,
        epoch_us(timezone(c.time_zone, cast(z.start_at - interval 1 second as timestamp) at time zone 'UTC'))
        + 1000000
        - epoch_us(cast(z.date as timestamp)) as late_us
    from core.zone_day as z
    inner join clock as c on c.zone_id = z.zone_id
)

select
    zone_id,
    date,
    cast(start_at - to_microseconds(late_us) as timestamp) as start_at
from started
where late_us > 0;

update core.zone_day
set start_at = f.start_at
from first_midnight as f
where zone_day.zone_id = f.zone_id and zone_day.date = f.date;

update core.zone_day
set end_at = f.start_at
from first_midnight as f
where zone_day.zone_id = f.zone_id and zone_day.date = f.date - 1;

insert into core.dirty_device_day
select distinct
    '' as kind,
    unnest([date - 1, date]) as date
from first_midnight
except
select *
from core.dirty_device_day;

drop table first_midnight;
