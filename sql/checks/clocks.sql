-- No device is said to have been online later than the service was asked, by more than five minutes.
-- Severity: warn

select
    device_id,
    zone_id,
    last_seen_at,
    last_online_at,
    date_diff('second', last_seen_at, last_online_at) as seconds_ahead
from mart.dim_device
where date_diff('second', last_seen_at, last_online_at) > 300
