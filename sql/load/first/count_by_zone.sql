-- What a first load took of each zone.
select
    zone_id as "zoneId",
    cast(sum(records) as bigint) as records,
    cast(sum(records) as bigint) as "newPlays",
    0 as changed,
    cast(sum(zero_second) as bigint) as "zeroSecond"
from record_group
group by zone_id
