-- One row per zone and local date with plays: when they began and ended. A night ends at 05:00, so earlier plays belong
-- to the previous day's opening, as in a bar that closes at 02:00.
--
-- Grain: zone_id, date
-- Reads: mart.fact_play
-- Built: day, any kind
-- Columns:
--   zone_id            The zone.
--   date               Local date on which the plays began.
--   first_play_at      Start of the first play, in UTC.
--   last_end_at        End of the last play, in UTC.
--   first_early_secs   Start of the first play before 05:00, in seconds since midnight; null: none.
--   last_early_secs    End of the last of these plays.
--   first_late_secs    Start of the first play from 05:00 on; null: none.
--   last_late_secs     End of the last of these plays; may be over 86,400.

with timed as (
    select
        zone_id,
        date,
        play_hour < 5 as is_early,
        played_at,
        cast(played_at + duration_secs * interval '1' second as timestamp(6)) as ended_at,
        date_diff('second', cast(date as timestamp(6)), played_at_local) as began_secs,
        date_diff('second', cast(date as timestamp(6)), played_at_local) + duration_secs as ended_secs
    from mart.fact_play
)

select
    zone_id,
    date,
    min(played_at) as first_play_at,
    max(ended_at) as last_end_at,
    min(case when is_early then began_secs end) as first_early_secs,
    max(case when is_early then ended_secs end) as last_early_secs,
    min(case when not is_early then began_secs end) as first_late_secs,
    max(case when not is_early then ended_secs end) as last_late_secs
from timed
group by zone_id, date
