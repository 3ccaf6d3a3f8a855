-- Whether core has nothing of the landing's zones.
with known as (
    select distinct zone_id
    from core.play
    where kind = getvariable('kind')
)

select count(*) = 0 as "isNew"
from known as k
inner join seen_day as d on d.zone_id = cast(k.zone_id as varchar)
