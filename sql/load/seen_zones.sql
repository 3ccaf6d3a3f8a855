-- The zones of the landing: where their history begins in it, and how many of its records are later than that.
create or replace temp table seen_zone as
with day as (
    select
        zone_id,
        first_at,
        records,
        first_records
    from loaded_day
    union all
    select
        zone_id,
        first_at,
        records,
        first_records
    from known_day
),

zone as (
    select
        zone_id,
        min(first_at) as first_at,
        sum(records) as records
    from day
    group by zone_id
)

select
    z.zone_id,
    z.first_at,
    cast(z.records - sum(d.first_records) as bigint) as later_records
from zone as z
inner join day as d on d.zone_id = z.zone_id and d.first_at = z.first_at
group by z.zone_id, z.first_at, z.records;
