-- One row per span in which a zone played nothing, from the last play of one day to the first play of the
-- next day with plays; also before its first play, and from its last play to the end of known history.
--
-- Grain: zone_id, from_at
-- Reads: core.zone_day, staging.freshness, staging.zone_play_day
-- Built: view
-- Columns:
--   zone_id    The zone.
--   from_at    End of the last play before, in UTC; 1970-01-01 if there is none.
--   until_at   Start of the next play, or end of known history.

with zone as (
    select distinct zone_id
    from core.zone_day
),

known as (
    select cast(date_trunc('second', data_as_of) as timestamp(6)) as until_at
    from staging.freshness
),

play_day as (
    select
        p.zone_id,
        p.first_play_at,
        max(p.last_end_at) over (
            partition by p.zone_id order by p.date rows between unbounded preceding and current row
        ) as reached_at,
        lead(p.first_play_at) over (partition by p.zone_id order by p.date) as next_play_at,
        row_number() over (partition by p.zone_id order by p.date) as place
    from staging.zone_play_day as p
),

pause as (
    select
        p.zone_id,
        p.reached_at as from_at,
        coalesce(p.next_play_at, k.until_at) as until_at
    from play_day as p
    cross join known as k
    union all
    select
        d.zone_id,
        timestamp '1970-01-01 00:00:00' as from_at,
        coalesce(p.first_play_at, k.until_at) as until_at
    from zone as d
    cross join known as k
    left join play_day as p on p.zone_id = d.zone_id and p.place = 1
)

select
    zone_id,
    from_at,
    until_at
from pause
where from_at < until_at
