-- One row per span of over ten minutes between plays of one date in which a zone played nothing.
--
-- Grain: zone_id, from_at
-- Reads: mart.fact_play, staging.zone_play_day
-- Built: day of devices, reach 1
-- Columns:
--   zone_id    The zone.
--   date       Local date of the plays before and after.
--   from_at    End of the plays before, in UTC.
--   until_at   Start of the next play.

with reached as (
    select
        f.zone_id,
        f.date,
        max(cast(f.played_at + f.duration_secs * interval '1' second as timestamp(6))) over (
            partition by f.zone_id, f.date order by f.played_at rows between unbounded preceding and 1 preceding
        ) as reached_at,
        f.played_at
    from mart.fact_play as f
),

-- A play may last for days, so plays that began on earlier dates may still be running.
earlier as (
    select
        zone_id,
        date,
        max(last_end_at) over (
            partition by zone_id order by date rows between unbounded preceding and 1 preceding
        ) as reached_at
    from staging.zone_play_day
),

gap as (
    select
        r.zone_id,
        r.date,
        case when e.reached_at > r.reached_at then e.reached_at else r.reached_at end as from_at,
        r.played_at as until_at
    from reached as r
    inner join earlier as e on e.zone_id = r.zone_id and e.date = r.date
    where date_diff('second', r.reached_at, r.played_at) > 600
)

select
    zone_id,
    date,
    from_at,
    until_at
from gap
where date_diff('second', from_at, until_at) > 600
