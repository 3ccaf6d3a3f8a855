-- In the last 7 days of the data, no zone played more than 15 minutes before it opened or after it closed.
-- Severity: warn

-- Opening hours come from reference/opening_hours.csv; without them, from when the zone usually plays.

with recent as (
    select
        f.zone_id,
        f.date,
        f.played_at
    from fact_play as f
    cross join mart_info as i
    where f.date > cast(i.data_as_of - interval '7' day as date)
),

outside as (
    select r.*
    from recent as r
    where not exists (
        select 1
        from fact_zone_opening as o
        where
            o.zone_id = r.zone_id
            and r.played_at >= cast(o.opens_at - interval '15' minute as timestamp(6))
            and r.played_at < cast(o.closes_at + interval '15' minute as timestamp(6))
    )
)

select
    o.zone_id,
    z.zone_name,
    o.date,
    count(*) as plays,
    min(o.played_at) as first_played_at,
    max(o.played_at) as last_played_at
from outside as o
inner join dim_zone as z on z.zone_id = o.zone_id
group by o.zone_id, z.zone_name, o.date
order by count(*) desc, o.zone_id, o.date
