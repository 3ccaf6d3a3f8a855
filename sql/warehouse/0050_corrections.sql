-- Corrects values that version 0.2 stored, and marks the days that they affect.

-- A day whose midnight comes twice, because the clock goes back to it, begins at the first one.
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

-- Where a clock goes forward by more than a day, days begin no later than those after them.
create temp table passed_day as
with begun as (
    select
        zone_id,
        date,
        start_at,
        end_at,
        min(start_at) over (
            partition by zone_id order by date rows between current row and unbounded following
        ) as begins_at
    from core.zone_day
),

ended as (
    select
        *,
        coalesce(lead(begins_at) over (partition by zone_id order by date), end_at) as ends_at
    from begun
)

select
    zone_id,
    date,
    begins_at,
    ends_at
from ended
where begins_at <> start_at or ends_at <> end_at;

update core.zone_day
set
    start_at = p.begins_at,
    end_at = p.ends_at
from passed_day as p
where zone_day.zone_id = p.zone_id and zone_day.date = p.date;

insert into core.dirty_device_day
select distinct
    '' as kind,
    date
from passed_day
except
select *
from core.dirty_device_day;

drop table passed_day;

-- Date-times of devices that are the epoch, in the clock of any time zone, are unknown.
insert into core.dirty_device_day
select distinct
    '' as kind,
    cast(requested_at as date) as date
from core.device_snapshot
where last_online_at <= timestamp '1970-01-02 02:00:00'
except
select *
from core.dirty_device_day;

update core.device_snapshot
set
    last_online_at = case when last_online_at > timestamp '1970-01-02 02:00:00' then last_online_at end,
    last_play_at = case when last_play_at > timestamp '1970-01-02 02:00:00' then last_play_at end,
    last_sd_error_at = case when last_sd_error_at > timestamp '1970-01-02 02:00:00' then last_sd_error_at end
where least(last_online_at, last_play_at, last_sd_error_at) <= timestamp '1970-01-02 02:00:00';
