-- No device timestamp is more than five minutes later than the request of its listing.
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
