-- Newest address of each location, from any machine.
--
-- Reads: lake.location

with ranked as (
    select
        s.*,
        row_number() over (partition by location_id order by seen_at desc, machine) as newest
    from lake.location as s
)

select
    location_id,
    street,
    city,
    state,
    zip,
    latitude,
    longitude,
    seen_at
from ranked
where newest = 1
