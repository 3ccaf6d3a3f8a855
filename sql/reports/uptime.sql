-- Uptime and downtime by any of device, zone, location, city, group, date, week, month, quarter, platform, model and
-- firmware. Columns that rows are not grouped by are null. Without a group, a zone counts once, however many groups it
-- belongs to; by group, it counts once in each. If grouped by device, platform, model or firmware, rows measure devices,
-- otherwise zones, which are up when any of their devices is.
--
-- Reads: bridge_device_firmware, bridge_group_zone, date_key, dim_group, dim_location, dim_zone, fact_device_day,
--   fact_snapshot, fact_zone_uptime, p, zone_key
-- Attributes: zone
-- Uncompared: resolution_seconds
-- By:
--   device     device_id
--   zone       zone_id, zone_name
--   location   location_id, location_name
--   city       city
--   group      group_id, group_name
--   date       date
--   week       week
--   month      month
--   quarter    quarter
--   platform   platform
--   model      model
--   firmware   firmware
-- Columns:
--   device_id                      = dim_device.device_id
--   zone_id                        = dim_zone.zone_id
--   zone_name                      = dim_zone.zone_name
--   location_id                    = dim_location.location_id
--   location_name                  = dim_location.location_name
--   city                           = dim_location.city
--   group_id                       = dim_group.group_id
--   group_name                     = dim_group.group_name
--   date                           = dim_date.date
--   week                           = plays.week
--   month                          = dim_date.month
--   quarter                        = plays.quarter
--   platform                       = dim_device.platform: The device's platform on that day.
--   model                          = dim_device.model: The device's model on that day.
--   firmware                       = dim_device.firmware: The device's firmware on that day, as of its last check.
--   devices                        Devices (count): Devices counted in the row.
--   up_seconds                     = fact_device_day.up_seconds
--   down_seconds                   = fact_device_day.down_seconds
--   unknown_seconds                = fact_device_day.unknown_seconds
--   availability                   Availability (share): Up ÷ (up + down). Note: Unknown time is excluded, and shown
--                                  as coverage.
--   coverage                       = compliance.coverage: Share of the requested data that could be measured; the
--                                  other figures refer only to that part. Note: Known time ÷ all time from the first
--                                  to the last check of a device.
--   open_availability              Availability while open (share): Availability within opening hours, given or
--                                  learnt, because shops cut the power at night.
--   planned_down_seconds           = fact_device_day.planned_down_seconds
--   availability_without_planned   Availability without planned work (share): Availability with downtime during
--                                  announced maintenance excluded. Note: The service maps no notice to a zone, so
--                                  announced maintenance counts for all. A notice without an end counts up to its
--                                  announced end.
--   outages                        = fact_device_day.outages
--   silent_seconds                 = fact_device_day.silent_seconds
--   playing_while_down_seconds     = fact_device_day.playing_while_down_seconds
--   resolution_seconds             Resolution (seconds): The usual time between two checks of a device, which limits
--                                  how precisely up and down times are known.
-- Single:
--   devices   device

with -- Gaps between a group's listings of devices in the period, by size.
listing as (
    select distinct
        l.group_id,
        cast(date_trunc('second', l.requested_at) as timestamp(6)) as looked_at
    from p
    cross join fact_snapshot as l
    where
        l.source = 'devices'
        and cast(l.requested_at as date) between cast(p.date_from - interval '1' day as date)
        and cast(p.date_to + interval '1' day as date)
),

gap as (
    select
        group_id,
        date_diff('second', lag(looked_at) over (partition by group_id order by looked_at), looked_at)
            as gap_seconds
    from listing
),

ranked_gap as (
    select
        group_id,
        gap_seconds,
        row_number() over (partition by group_id order by gap_seconds) as place,
        count(*) over (partition by group_id) as gaps
    from gap
    where gap_seconds is not null
),

zone_resolution as (
    select
        b.zone_id,
        min(g.gap_seconds) as resolution_seconds
    from ranked_gap as g
    inner join bridge_group_zone as b on b.group_id = g.group_id
    where g.place * 2 in (g.gaps, g.gaps + 1)
    group by b.zone_id
),

-- The units that rows measure: devices if grouped by device, platform, model or firmware, otherwise zones.
unit_day as (
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
        f.playing_while_down_seconds,
        f.outages
    from p
    inner join fact_device_day as f
        on (p.by_device or p.by_platform or p.by_model or p.by_firmware or p.device_ids <> '')
        and f.date between p.date_from and p.date_to
    where p.device_ids = '' or position(',' || cast(f.device_id as varchar) || ',' in p.device_ids) > 0
    union all
    select
        cast(null as bigint) as device_id,
        f.zone_id,
        f.date,
        f.up_seconds,
        f.down_seconds,
        f.unknown_seconds,
        f.open_up_seconds,
        f.open_down_seconds,
        f.planned_down_seconds,
        f.silent_seconds,
        f.playing_while_down_seconds,
        f.outages
    from p
    inner join fact_zone_uptime as f
        on not (p.by_device or p.by_platform or p.by_model or p.by_firmware or p.device_ids <> '')
        and f.date between p.date_from and p.date_to
),

keyed as (
    select
        f.*,
        r.resolution_seconds,
        z.key_slot_1,
        z.key_slot_2,
        z.key_slot_3,
        case when p.by_device then f.device_id end as key_device_id,
        z.key_zone_id,
        z.key_location_id,
        z.key_city,
        z.key_group_id,
        d.key_date,
        d.key_week,
        d.key_month,
        d.key_quarter,
        case when p.by_platform then coalesce(nullif(v.platform, ''), '(none)') end as key_platform,
        case when p.by_model then coalesce(nullif(v.model, ''), '(none)') end as key_model,
        case when p.by_firmware then coalesce(nullif(v.firmware, ''), '(none)') end as key_firmware
    from p
    cross join unit_day as f
    inner join date_key as d on d.date = f.date
    inner join zone_key as z on z.zone_id = f.zone_id and f.date between z.slot_from and z.slot_to
    left join zone_resolution as r on r.zone_id = z.zone_id
    left join bridge_device_firmware as v on v.device_id = f.device_id and f.date between v.valid_from and v.valid_to
),

numbered as (
    select
        keyed.*,
        dense_rank() over (
            order by
                key_slot_1, key_slot_2, key_slot_3, key_device_id, key_zone_id, key_location_id, key_city, key_group_id,
                key_date, key_week, key_month, key_quarter, key_platform, key_model, key_firmware
        ) as row_no
    from keyed
),

measured as (
    select
        row_no,
        cast(sum(up_seconds) as bigint) as up_seconds,
        cast(sum(down_seconds) as bigint) as down_seconds,
        cast(sum(unknown_seconds) as bigint) as unknown_seconds,
        cast(sum(open_up_seconds) as bigint) as open_up_seconds,
        cast(sum(open_down_seconds) as bigint) as open_down_seconds,
        cast(sum(planned_down_seconds) as bigint) as planned_down_seconds,
        cast(sum(silent_seconds) as bigint) as silent_seconds,
        cast(sum(playing_while_down_seconds) as bigint) as playing_while_down_seconds,
        cast(sum(outages) as bigint) as outages
    from numbered
    group by row_no
),

counted as (
    select
        n.row_no,
        count(distinct f.device_id) as devices
    from numbered as n
    inner join fact_device_day as f
        on f.zone_id = n.zone_id
        and f.date = n.date
        and coalesce(n.device_id, f.device_id) = f.device_id
    group by n.row_no
),

label as (
    select
        row_no,
        min(key_slot_1) as key_slot_1,
        min(key_slot_2) as key_slot_2,
        min(key_slot_3) as key_slot_3,
        min(key_device_id) as device_id,
        min(key_zone_id) as zone_id,
        min(key_location_id) as location_id,
        min(key_city) as city,
        min(key_group_id) as group_id,
        min(key_date) as date,
        min(key_week) as week,
        min(key_month) as month,
        min(key_quarter) as quarter,
        min(key_platform) as platform,
        min(key_model) as model,
        min(key_firmware) as firmware,
        max(resolution_seconds) as resolution_seconds
    from numbered
    group by row_no
)

select
    l.key_slot_1 as attribute_1,
    l.key_slot_2 as attribute_2,
    l.key_slot_3 as attribute_3,
    l.device_id,
    l.zone_id,
    z.zone_name,
    l.location_id,
    n.location_name,
    l.city,
    l.group_id,
    g.group_name,
    l.date,
    l.week,
    l.month,
    l.quarter,
    l.platform,
    l.model,
    l.firmware,
    coalesce(c.devices, 0) as devices,
    coalesce(m.up_seconds, 0) as up_seconds,
    coalesce(m.down_seconds, 0) as down_seconds,
    coalesce(m.unknown_seconds, 0) as unknown_seconds,
    cast(m.up_seconds as double) / nullif(m.up_seconds + m.down_seconds, 0) as availability,
    cast(m.up_seconds + m.down_seconds as double) / nullif(m.up_seconds + m.down_seconds + m.unknown_seconds, 0)
        as coverage,
    cast(m.open_up_seconds as double) / nullif(m.open_up_seconds + m.open_down_seconds, 0) as open_availability,
    coalesce(m.planned_down_seconds, 0) as planned_down_seconds,
    cast(m.up_seconds as double) / nullif(m.up_seconds + m.down_seconds - m.planned_down_seconds, 0)
        as availability_without_planned,
    coalesce(m.outages, 0) as outages,
    coalesce(m.silent_seconds, 0) as silent_seconds,
    coalesce(m.playing_while_down_seconds, 0) as playing_while_down_seconds,
    l.resolution_seconds
from p
left join label as l on l.row_no is not null
left join measured as m on m.row_no = l.row_no
left join counted as c on c.row_no = l.row_no
left join dim_zone as z on z.zone_id = l.zone_id
left join dim_location as n on n.location_id = l.location_id
left join dim_group as g on g.group_id = l.group_id
-- Without data, the total is a row of zeros, but there are no grouped rows.
where
    l.row_no is not null
    or not (
        p.by_device or p.by_zone or p.by_location or p.by_city or p.by_group
        or p.by_date or p.by_week or p.by_month or p.by_quarter
        or p.by_platform or p.by_model or p.by_firmware or p.by_slot_1 or p.by_slot_2 or p.by_slot_3
    )
order by
    l.key_slot_1,
    l.key_slot_2,
    l.key_slot_3,
    l.group_id,
    l.location_id,
    l.city,
    l.zone_id,
    l.device_id,
    l.date,
    l.week,
    l.month,
    l.quarter,
    l.platform,
    l.model,
    l.firmware
