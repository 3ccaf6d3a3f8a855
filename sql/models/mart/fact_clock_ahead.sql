-- One row per device, zone, local day and timestamp field that was more than five minutes later than the listing's
-- request, which means that a clock is wrong. For such a last_online_date, the instant of the listing is used instead.
--
-- Grain: device_id, zone_id, date, date_time
-- Reads: core.device_snapshot, core.zone_day
-- Built: day of devices
-- Published: ordered by date, zone_id, device_id, date_time
-- Columns:
--   device_id       = dim_device.device_id: The device.
--   zone_id         = dim_zone.zone_id: The device's zone at the time.
--   date            = dim_date.date: Local day on which the listings were requested.
--   date_time       Timestamp (text): Name of the field: last_online, last_play or last_sd_error.
--   snapshots       Listings (count): Listings with such a timestamp.
--   seconds_ahead   Ahead (seconds): Maximum difference between the timestamp and the request.

with ahead as (
    select
        d.device_id,
        d.zone_id,
        d.requested_at,
        k.date_time,
        date_diff(
            'second',
            cast(date_trunc('second', d.requested_at) as timestamp(6)),
            cast(
                date_trunc(
                    'second',
                    case k.date_time
                        when 'last_online' then d.last_online_at
                        when 'last_play' then d.last_play_at
                        else d.last_sd_error_at
                    end
                ) as timestamp(6)
            )
        ) as seconds_ahead
    from core.device_snapshot as d
    cross join (values ('last_online'), ('last_play'), ('last_sd_error')) as k (date_time)
)

select
    a.device_id,
    a.zone_id,
    z.date,
    a.date_time,
    count(*) as snapshots,
    max(a.seconds_ahead) as seconds_ahead
from ahead as a
inner join core.zone_day as z
    on z.zone_id = a.zone_id and z.start_at <= a.requested_at and z.end_at > a.requested_at
where a.seconds_ahead > 300
group by a.device_id, a.zone_id, z.date, a.date_time
