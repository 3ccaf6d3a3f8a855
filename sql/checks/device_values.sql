-- No duration in a device day is negative or longer than the one that contains it.
-- Severity: error

select
    f.device_id,
    f.zone_id,
    f.date,
    f.up_seconds,
    f.down_seconds,
    f.unknown_seconds,
    f.open_up_seconds,
    f.open_down_seconds,
    f.planned_down_seconds,
    f.silent_seconds,
    f.playing_while_down_seconds
from mart.fact_device_day as f
inner join core.checked_day as d on d.date = f.date
where
    f.up_seconds < 0
    or f.down_seconds < 0
    or f.unknown_seconds < 0
    -- A day lasts up to 52 hours: a clock known only from plays may go from +14:00 on one day to -14:00 on the next.
    or f.up_seconds + f.down_seconds + f.unknown_seconds not between 1 and 52 * 3600
    or f.open_up_seconds not between 0 and f.up_seconds
    or f.open_down_seconds not between 0 and f.down_seconds
    or f.planned_down_seconds not between 0 and f.down_seconds
    or f.silent_seconds not between 0 and f.open_up_seconds
    or f.playing_while_down_seconds not between 0 and f.down_seconds
