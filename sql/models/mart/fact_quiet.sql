-- One row per zone and span of over ten minutes in which the zone was open but played nothing, whether or not it has a
-- device. Spans are split at the ends of local days and openings.
--
-- Grain: zone_id, from_at
-- Reads: core.zone_day, staging.opening_quiet, staging.player_run
-- Built: day of devices
-- Published: by month, ordered by zone_id, date, from_at
-- Columns:
--   zone_id                = dim_zone.zone_id: The zone.
--   date                   = dim_date.date: Local day of this part.
--   from_at                From (instant): Start of this part, in UTC.
--   quiet_seconds          = fact_zone_open_day.quiet_seconds: Duration of this part.
--   silent_seconds         = fact_zone_open_day.silent_seconds: Part of it in which a device was up.
--   quiet_down_seconds     = fact_zone_open_day.quiet_down_seconds: Part of it in which the zone was down.

-- An opening may extend to the second date after its own, as in staging.player_day.
with part as (
    select
        z.zone_id,
        z.date,
        case when q.from_at < z.start_at then z.start_at else q.from_at end as from_at,
        case when q.until_at > z.end_at then z.end_at else q.until_at end as until_at
    from core.zone_day as z
    cross join (values (0), (1), (2)) as k (days)
    inner join staging.opening_quiet as q
        on q.zone_id = z.zone_id
        and q.date = cast(z.date - k.days * interval '1' day as date)
        and q.from_at < z.end_at
        and q.until_at > z.start_at
),

-- Spans of the zone as a whole; if it has a single device, the device's spans are the same.
shared_zone as (
    select distinct zone_id
    from staging.player_run
    where device_id is null
),

zone_run as (
    select
        r.zone_id,
        r.state,
        r.from_at,
        r.until_at
    from staging.player_run as r
    left join shared_zone as s on s.zone_id = r.zone_id
    where s.zone_id is null or r.device_id is null
),

stated as (
    select
        p.zone_id,
        p.date,
        p.from_at,
        p.until_at,
        r.state,
        date_diff(
            'second',
            case when r.from_at > p.from_at then r.from_at else p.from_at end,
            case when r.until_at < p.until_at then r.until_at else p.until_at end
        ) as seconds
    from part as p
    left join zone_run as r
        on r.zone_id = p.zone_id
        and r.state <> 'unknown'
        and r.from_at < p.until_at
        and r.until_at > p.from_at
)

select
    zone_id,
    date,
    from_at,
    date_diff('second', from_at, until_at) as quiet_seconds,
    cast(sum(case when state = 'up' then seconds else 0 end) as bigint) as silent_seconds,
    cast(sum(case when state = 'down' then seconds else 0 end) as bigint) as quiet_down_seconds
from stated
group by zone_id, date, from_at, until_at
