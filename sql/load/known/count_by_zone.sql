-- What a load took of each zone, that of known dates included.
with result as (
    select
        zone_id,
        1 as records,
        case when is_new then 1 else 0 end as new_plays,
        case when is_changed then 1 else 0 end as changed,
        0 as zero_second
    from compared
    union all
    select
        zone_id,
        0 as records,
        0 as new_plays,
        0 as changed,
        zero_second
    from loaded_day
    union all
    select
        zone_id,
        records,
        0 as new_plays,
        0 as changed,
        zero_second
    from known_day
)

select
    zone_id as "zoneId",
    cast(sum(records) as bigint) as records,
    cast(sum(new_plays) as bigint) as "newPlays",
    cast(sum(changed) as bigint) as changed,
    cast(sum(zero_second) as bigint) as "zeroSecond"
from result
group by zone_id
