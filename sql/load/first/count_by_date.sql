select
    cast(cast(played_at as date) as timestamp) as "from",
    cast(cast(played_at as date) + 1 as timestamp) as "to",
    count(*) as records
from core.play
where first_load_id = getvariable('load_id') and zone_id >= 0
group by cast(played_at as date)
order by 1
