-- One row per device, zone and local day of that zone on which anything is known of the device: from its first to its
-- last snapshot, up_seconds + down_seconds + unknown_seconds is all the time there is.
--
-- Grain: device_id, zone_id, date
-- Reads: staging.player_day
-- Built: day of devices
-- Published: by month, ordered by zone_id, date, device_id
-- Columns:
--   device_id                    = dim_device.device_id: The device.
--   zone_id                      = dim_zone.zone_id: The zone it was in.
--   date                         = dim_date.date: The zone's local day: 23 or 25 hours where its clock changes.
--   up_seconds                   Up (seconds): Time in which devices are known to have been online.
--   down_seconds                 Down (seconds): Time in which devices are known to have been offline.
--   unknown_seconds              Unknown (seconds): Time between two checks of a device that tell neither up nor down, or
--                                when nobody checked.
--   open_up_seconds              Up while open (seconds): Of the time up, that in which the zone was open.
--   open_down_seconds            Down while open (seconds): Of the time down, that in which the zone was open.
--   planned_down_seconds         Down during planned work (seconds): Down time while the service had announced
--                                maintenance, for all devices alike.
--   silent_seconds               Silent (seconds): Time in which a device was up and its zone open, yet nothing played
--                                for over 10 minutes.
--   playing_while_down_seconds   Playing while down (seconds): Play time within spans in which the device was reported
--                                down.
--   outages                      Outages (count): Spans of down time of at least 15 minutes, counted on the local day on
--                                which they began.
--   bandwidth_kbps               Bandwidth (kilobits per second): Mean of what its snapshots of this day say; null where
--                                none do.

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
