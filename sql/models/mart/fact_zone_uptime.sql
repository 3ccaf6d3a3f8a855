-- One row per zone and local day: time up, down and unknown. A zone is up if any of its devices is, otherwise down if
-- any is; with one device, the row matches fact_device_day.
--
-- Grain: zone_id, date
-- Reads: core.zone_day, staging.player_day
-- Built: day of devices
-- Published: by month, ordered by zone_id, date
-- Columns:
--   zone_id                      = dim_zone.zone_id: The zone; it is up if any of its devices is.
--   date                         = fact_device_day.date
--   start_at                     Day began (instant): Start of the day, in UTC.
--   end_at                       Day ended (instant): End of the day, in UTC.
--   up_seconds                   = fact_device_day.up_seconds
--   down_seconds                 = fact_device_day.down_seconds
--   unknown_seconds              = fact_device_day.unknown_seconds
--   open_up_seconds              = fact_device_day.open_up_seconds
--   open_down_seconds            = fact_device_day.open_down_seconds
--   planned_down_seconds         = fact_device_day.planned_down_seconds
--   silent_seconds               = fact_device_day.silent_seconds
--   playing_while_down_seconds   = fact_device_day.playing_while_down_seconds
--   outages                      = fact_device_day.outages: Downtime spans of the zone of at least 15 minutes, counted
--                                on the local day on which they began; its devices are not counted individually.

select
    u.zone_id,
    u.date,
    z.start_at,
    z.end_at,
    coalesce(
        max(case when device_id is null then up_seconds end),
        max(case when device_id is not null then up_seconds end)
    ) as up_seconds,
    coalesce(
        max(case when device_id is null then down_seconds end),
        max(case when device_id is not null then down_seconds end)
    ) as down_seconds,
    coalesce(
        max(case when device_id is null then unknown_seconds end),
        max(case when device_id is not null then unknown_seconds end)
    ) as unknown_seconds,
    coalesce(
        max(case when device_id is null then open_up_seconds end),
        max(case when device_id is not null then open_up_seconds end)
    ) as open_up_seconds,
    coalesce(
        max(case when device_id is null then open_down_seconds end),
        max(case when device_id is not null then open_down_seconds end)
    ) as open_down_seconds,
    coalesce(
        max(case when device_id is null then planned_down_seconds end),
        max(case when device_id is not null then planned_down_seconds end)
    ) as planned_down_seconds,
    coalesce(
        max(case when device_id is null then silent_seconds end),
        max(case when device_id is not null then silent_seconds end)
    ) as silent_seconds,
    coalesce(
        max(case when device_id is null then playing_while_down_seconds end),
        max(case when device_id is not null then playing_while_down_seconds end)
    ) as playing_while_down_seconds,
    coalesce(
        max(case when device_id is null then outages end),
        max(case when device_id is not null then outages end)
    ) as outages
from staging.player_day as u
inner join core.zone_day as z on z.zone_id = u.zone_id and z.date = u.date
group by u.zone_id, u.date, z.start_at, z.end_at
