-- One row per device, zone and local day of that zone on which anything is known of the device: from its first to its
-- last snapshot, up_seconds + down_seconds + unknown_seconds is all the time there is.
--
-- Grain: device_id, zone_id, date
-- Reads: staging.player_day
-- Built: day of devices
-- Published: by month, ordered by zone_id, date, device_id
-- Columns:
--   device_id                    The device (dim_device).
--   zone_id                      The zone it was in (dim_zone).
--   date                         The zone's local day (dim_date): 23 or 25 hours where its clock changes.
--   up_seconds                   Seconds in which it was up.
--   down_seconds                 Seconds in which it was down.
--   unknown_seconds              Seconds of which snapshots do not tell.
--   open_up_seconds              Of up_seconds, those in which the zone was open.
--   open_down_seconds            Of down_seconds, those in which the zone was open.
--   planned_down_seconds         Of down_seconds, those in which planned maintenance of the service was under way.
--   silent_seconds               Seconds in which it was up, the zone was open, and for over ten minutes nothing played.
--   playing_while_down_seconds   Of down_seconds, those in which history has plays all the same.
--   outages                      Outages (fact_outage) that began on this day.
--   bandwidth_kbps               Mean of what its snapshots of this day say, in kilobits per second; null where none do.

select
    device_id,
    zone_id,
    date,
    up_seconds,
    down_seconds,
    unknown_seconds,
    open_up_seconds,
    open_down_seconds,
    planned_down_seconds,
    silent_seconds,
    playing_while_down_seconds,
    outages,
    bandwidth_kbps
from staging.player_day
where device_id is not null
