-- How many records later than their zone's first line core has more of than a complete landing: each of them is
-- missing in it.
with stored as (
    select count(*) as later_records
    from core.play as p
    inner join seen_zone as z on z.zone_id = p.zone_id and p.played_at > z.first_at
    where p.kind = getvariable('kind')
)

select s.later_records - (select coalesce(sum(later_records), 0) from seen_zone) as missing
from stored as s
