-- One row per zone, weekday, time of day and range of local dates in reference/footfall.csv: the people near its screens
-- or loudspeakers. Lines for a location apply to its zones that have no line of their own.
--
-- Grain: zone_id, day_of_week, from_secs, valid_from
-- Reads: core.footfall, mart.bridge_zone_location
-- Built: whole
-- Columns:
--   zone_id       = dim_zone.zone_id: The zone, which may be unknown.
--   day_of_week   = dim_date.day_of_week
--   from_secs     From (seconds): Start in seconds since midnight by the zone's clock, inclusive.
--   to_secs       To (seconds): End in seconds since the same midnight, exclusive.
--   people        People per play, in 3,600,000ths (count): People near during a play, × 3,600,000. Note: People per
--                 hour × dwell seconds ÷ 3,600, or people per play as given.
--   source        Source (text): Where the number comes from, as written in the file.
--   valid_from    = bridge_zone_attribute.valid_from
--   valid_to      = bridge_zone_attribute.valid_to

with given_zone as (
    select distinct zone_id
    from core.footfall
    where zone_id is not null
),

placed as (
    select
        zone_id,
        day_of_week,
        from_secs,
        to_secs,
        people,
        source,
        valid_from,
        valid_to
    from core.footfall
    where zone_id is not null
    union all
    select
        b.zone_id,
        f.day_of_week,
        f.from_secs,
        f.to_secs,
        f.people,
        f.source,
        case when b.valid_from > f.valid_from then b.valid_from else f.valid_from end as valid_from,
        case when b.valid_to < f.valid_to then b.valid_to else f.valid_to end as valid_to
    from core.footfall as f
    inner join mart.bridge_zone_location as b
        on b.location_id = f.location_id and b.valid_from <= f.valid_to and b.valid_to >= f.valid_from
    left join given_zone as g on g.zone_id = b.zone_id
    where g.zone_id is null
)

select
    p.zone_id,
    cast(d.day_of_week as integer) as day_of_week,
    cast(p.from_secs as bigint) as from_secs,
    cast(p.to_secs as bigint) as to_secs,
    p.people,
    p.source,
    p.valid_from,
    p.valid_to
from placed as p
inner join (values (1), (2), (3), (4), (5), (6), (7)) as d (day_of_week)
    on p.day_of_week is null or p.day_of_week = d.day_of_week
