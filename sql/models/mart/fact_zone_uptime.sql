-- One row per zone and local day on which anything is known of its devices. A zone is up when any of its devices is, else
-- down when any is: where it had one device, this is what fact_device_day has.
--
-- Grain: zone_id, date
-- Reads: core.zone_day, staging.player_day
-- Built: day of devices
-- Published: by month, ordered by zone_id, date
-- Columns:
--   zone_id                      The zone (dim_zone).
--   date                         Its local day (dim_date): 23 or 25 hours where its clock changes.
--   start_at                     Instant at which the day began, in UTC.
--   end_at                       Instant at which it ended, or will end, in UTC.
--   up_seconds                   Seconds in which it was up.
--   down_seconds                 Seconds in which it was down.
--   unknown_seconds              Seconds of which snapshots do not tell.
--   open_up_seconds              Of up_seconds, those in which it was open.
--   open_down_seconds            Of down_seconds, those in which it was open.
--   planned_down_seconds         Of down_seconds, those in which planned maintenance of the service was under way.
--   silent_seconds               Seconds in which it was up and open, and for over ten minutes nothing played.
--   playing_while_down_seconds   Of down_seconds, those in which history has plays all the same.
--   outages                      Outages (fact_outage) of its devices that began on this day.

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
    cast(sum(outages) as bigint) as outages
from staging.player_day as u
inner join core.zone_day as z on z.zone_id = u.zone_id and z.date = u.date
group by u.zone_id, u.date, z.start_at, z.end_at
