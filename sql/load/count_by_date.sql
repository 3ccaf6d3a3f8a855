select
    cast(cast(played_at as date) as timestamp) as "from",
    cast(cast(played_at as date) + 1 as timestamp) as "to",
    count(*) as records
from core.play
where kind = getvariable('kind')
group by cast(played_at as date)
order by 1
