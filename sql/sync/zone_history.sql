-- One row per kind and zone with loaded history: the number of records, and the average per day over the last 14 days
-- of its history.
with day as (
    select
        kind,
        zone_id,
        date,
        count(*) as records,
        max(date) over (partition by kind, zone_id) as last_date,
        min(date) over (partition by kind, zone_id) as first_date
    from core.play
    group by kind, zone_id, date
)

select
    kind,
    zone_id as "zoneId",
    cast(sum(records) as bigint) as records,
    coalesce(sum(records) filter (where date > last_date - 14), 0)
    / least(14, max(last_date) - min(first_date) + 1) as "recordsPerDay"
from day
group by kind, zone_id
