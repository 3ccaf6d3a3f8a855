-- For each kind, zone and day, the weighted plays of all campaigns add up to a whole number that is not more than the
-- plays.
-- Severity: error

with claimed as (
    select
        f.kind,
        f.zone_id,
        f.date,
        sum(cast(f.weighted_plays as double)) as weighted_plays
    from mart.fact_campaign_zone_day as f
    inner join core.checked_day as d on d.date = f.date
    group by f.kind, f.zone_id, f.date
),

played as (
    select
        f.kind,
        f.zone_id,
        f.date,
        cast(sum(f.plays) as bigint) as plays
    from mart.fact_play_day as f
    inner join core.checked_day as d on d.date = f.date
    where f.kind <> 'music'
    group by f.kind, f.zone_id, f.date
)

select
    c.kind,
    c.zone_id,
    c.date,
    c.weighted_plays,
    coalesce(p.plays, 0) as plays
from claimed as c
left join played as p on p.kind = c.kind and p.zone_id = c.zone_id and p.date = c.date
where
    c.weighted_plays > coalesce(p.plays, 0) + 0.000001
    or abs(c.weighted_plays - round(c.weighted_plays)) > 0.000001
