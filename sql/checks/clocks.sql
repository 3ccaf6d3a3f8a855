-- No listing gives a date-time of a device that lies after it was asked for, by more than five minutes.
-- Severity: warn

select
    f.device_id,
    f.zone_id,
    f.date,
    f.date_time,
    f.snapshots,
    f.seconds_ahead
from mart.fact_clock_ahead as f
inner join core.checked_day as k on k.date = f.date
