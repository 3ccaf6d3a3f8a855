-- One row per span in one state, for each device and for each zone that had several: the spans of staging.device_run,
-- and those of the zone as a whole, which is up if any of its devices is, otherwise down if any is, otherwise unknown.
--
-- Grain: device_id, zone_id, from_at
-- Reads: staging.device_run
-- Built: whole
-- Columns:
--   device_id   The device; null: the zone as a whole.
--   zone_id     The zone.
--   state       up, down or unknown.
--   from_at     Start of the span, in UTC.
--   until_at    End of the span, exclusive.

with shared_zone as (
    select zone_id
    from staging.device_run
    group by zone_id
    having min(device_id) < max(device_id)
),

ranked as (
    select
        r.zone_id,
        r.from_at,
        r.until_at,
        case r.state when 'up' then 3 when 'down' then 2 else 1 end as weight
    from staging.device_run as r
    inner join shared_zone as s on s.zone_id = r.zone_id
),

boundary as (
    select zone_id, from_at as cut_at
    from ranked
    union
    select zone_id, until_at as cut_at
    from ranked
),

segment as (
    select
        zone_id,
        cut_at as from_at,
        lead(cut_at) over (partition by zone_id order by cut_at) as until_at
    from boundary
),

weighted_segment as (
    select
        s.zone_id,
        s.from_at,
        s.until_at,
        max(r.weight) as weight
    from segment as s
    inner join ranked as r on r.zone_id = s.zone_id and r.from_at <= s.from_at and r.until_at >= s.until_at
    group by s.zone_id, s.from_at, s.until_at
),

marked as (
    select
        weighted_segment.*,
        case
            when lag(weight) over (partition by zone_id order by from_at) = weight
                and lag(until_at) over (partition by zone_id order by from_at) = from_at
                then 0
            else 1
        end as begins
    from weighted_segment
),

numbered as (
    select
        marked.*,
        cast(sum(begins) over (partition by zone_id order by from_at) as bigint) as run_number
    from marked
)

select
    device_id,
    zone_id,
    state,
    from_at,
    until_at
from staging.device_run
union all
select
    cast(null as bigint) as device_id,
    zone_id,
    case weight when 3 then 'up' when 2 then 'down' else 'unknown' end as state,
    min(from_at) as from_at,
    max(until_at) as until_at
from numbered
group by zone_id, weight, run_number
