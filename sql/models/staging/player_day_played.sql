-- One row per device or whole zone and local day with plays of any kind while it was down.
--
-- Grain: device_id, zone_id, date
-- Reads: mart.fact_play, staging.player_day_run
-- Built: day of devices
-- Columns:
--   device_id        The device; null: the zone as a whole.
--   zone_id          The zone.
--   date             The zone's local day.
--   played_seconds   Seconds in which anything played while it was down; simultaneous plays count once.

-- Plays of up to a day are looked up by date. The search begins two dates before the day, because the date of a play
-- near midnight may be wrong if the zone's clock is known only from plays. Longer plays are few, so each is joined to
-- every day that it spans.
with long_play as (
    select
        zone_id,
        played_at,
        cast(played_at + duration_secs * interval '1' second as timestamp(6)) as ended_at
    from mart.fact_play
    where duration_secs > 86400
),

played as (
    select
        r.device_id,
        r.zone_id,
        r.date,
        r.from_at as run_from_at,
        r.until_at as run_until_at,
        f.played_at,
        cast(f.played_at + f.duration_secs * interval '1' second as timestamp(6)) as ended_at
    from staging.player_day_run as r
    cross join (values (-1), (0), (1), (2)) as k (days)
    inner join mart.fact_play as f
        on f.zone_id = r.zone_id
        and f.date = cast(r.date - k.days * interval '1' day as date)
        and f.played_at < r.until_at
    where r.state = 'down' and f.duration_secs <= 86400
    union all
    select
        r.device_id,
        r.zone_id,
        r.date,
        r.from_at as run_from_at,
        r.until_at as run_until_at,
        l.played_at,
        l.ended_at
    from staging.player_day_run as r
    inner join long_play as l on l.zone_id = r.zone_id and l.played_at < r.until_at and l.ended_at > r.from_at
    where r.state = 'down'
),

clipped as (
    select
        device_id,
        zone_id,
        date,
        run_from_at,
        case when played_at < run_from_at then run_from_at else played_at end as from_at,
        case when ended_at > run_until_at then run_until_at else ended_at end as until_at
    from played
    where ended_at > run_from_at
),

reached as (
    select
        clipped.*,
        max(until_at) over (
            partition by device_id, zone_id, date, run_from_at
            order by from_at, until_at
            rows between unbounded preceding and 1 preceding
        ) as reached_at
    from clipped
)

select
    device_id,
    zone_id,
    date,
    cast(
        sum(
            case
                when reached_at >= until_at then 0
                when reached_at > from_at then date_diff('second', reached_at, until_at)
                else date_diff('second', from_at, until_at)
            end
        ) as bigint
    ) as played_seconds
from reached
group by device_id, zone_id, date
