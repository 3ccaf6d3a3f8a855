-- One row per device, zone and local day: time up, down and unknown. Together, these cover the whole time between the
-- device's first and last snapshot.
--
-- Grain: device_id, zone_id, date
-- Reads: staging.player_day
-- Built: day of devices
-- Published: by month, ordered by zone_id, date, device_id
-- Columns:
--   device_id                    = dim_device.device_id: The device.
--   zone_id                      = dim_zone.zone_id: The device's zone at the time.
--   date                         = dim_date.date: Local day of the zone; 23 or 25 hours long if its clock changes.
--   up_seconds                   Up (seconds): Time in which devices are known to have been online.
--   down_seconds                 Down (seconds): Time in which devices are known to have been offline.
--   unknown_seconds              Unknown (seconds): Time without checks, or for which checks do not show whether a
--                                device was up or down.
--   open_up_seconds              Up while open (seconds): Uptime within opening hours.
--   open_down_seconds            Down while open (seconds): Downtime within opening hours.
--   planned_down_seconds         Down during planned work (seconds): Downtime during announced maintenance of the
--                                service, which applies to all devices.
--   silent_seconds               Silent (seconds): Time in which a device was up and its zone open, but nothing played
--                                for over 10 minutes.
--   playing_while_down_seconds   Playing while down (seconds): Play time while the device was reported down.
--   outages                      Outages (count): Downtime spans of at least 15 minutes, counted on the local day on
--                                which they began.
--   bandwidth_kbps               Bandwidth (kilobits per second): Mean bandwidth in its snapshots of the day; null if
--                                they have none.

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
