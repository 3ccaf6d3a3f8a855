-- Zones that a listing shows earlier than anything before.
-- Reads: core.zone_day, temp.device, temp.listing
-- Makes: temp.touched_zone
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
