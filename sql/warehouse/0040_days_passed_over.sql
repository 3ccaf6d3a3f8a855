-- Where a clock goes forward by more than a day, days begin no later than those after them; until now one that it passes
-- over ended before it began, and those beside it held the same hours.
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
