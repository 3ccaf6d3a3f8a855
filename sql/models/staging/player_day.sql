-- One row per device and local day, and per zone and local day if the zone had several devices: time in each state,
-- silence and outages.
--
-- Grain: device_id, zone_id, date
-- Reads: core.zone_day, mart.fact_outage, mart.fact_quiet, staging.device_counted, staging.device_snapshot, staging.planned_span, staging.player_day_played, staging.player_day_run, staging.player_run, staging.zone_opening
-- Built: day of devices
-- Columns:
--   device_id                    The device; null: the zone as a whole.
--   zone_id                      The zone.
--   date                         The zone's local day.
--   up_seconds                   Seconds up.
--   down_seconds                 Seconds down.
--   unknown_seconds              Seconds in unknown state.
--   open_up_seconds              Seconds up while the zone was open.
--   open_down_seconds            Seconds down while the zone was open.
--   planned_down_seconds         Seconds down during planned maintenance of the service.
--   silent_seconds               Seconds in which it was up, in spans of over ten minutes in which the zone was open but
--                                nothing played.
--   playing_while_down_seconds   Seconds in which it was down although history has plays.
--   outages                      Outages that began on this day: of the device (fact_outage), or spans of the same
--                                minimum length in which the whole zone was down.
--   bandwidth_kbps               Mean bandwidth in its snapshots of the day, in kilobits per second; null if they have
--                                none.

with quiet as (
    select
        zone_id,
        date,
        from_at,
        cast(from_at + quiet_seconds * interval '1' second as timestamp(6)) as until_at
    from mart.fact_quiet
),

-- If a clock known only from plays goes forward, opening hours that begin on one date and end shortly before midnight
-- on the next may extend into the day after that.
part as (
    select
        device_id,
        zone_id,
        date,
        case when state = 'up' then date_diff('second', from_at, until_at) else 0 end as up_seconds,
        case when state = 'down' then date_diff('second', from_at, until_at) else 0 end as down_seconds,
        case when state = 'unknown' then date_diff('second', from_at, until_at) else 0 end as unknown_seconds,
        0 as open_up_seconds,
        0 as open_down_seconds,
        0 as planned_down_seconds,
        0 as silent_seconds,
        0 as playing_while_down_seconds,
        0 as outages,
        cast(null as double) as bandwidth_kbps
    from staging.player_day_run
    union all
    select
        r.device_id,
        r.zone_id,
        r.date,
        0 as up_seconds,
        0 as down_seconds,
        0 as unknown_seconds,
        case
            when r.state = 'up'
                then date_diff(
                    'second',
                    case when o.opens_at > r.from_at then o.opens_at else r.from_at end,
                    case when o.closes_at < r.until_at then o.closes_at else r.until_at end
                )
            else 0
        end as open_up_seconds,
        case
            when r.state = 'down'
                then date_diff(
                    'second',
                    case when o.opens_at > r.from_at then o.opens_at else r.from_at end,
                    case when o.closes_at < r.until_at then o.closes_at else r.until_at end
                )
            else 0
        end as open_down_seconds,
        0 as planned_down_seconds,
        0 as silent_seconds,
        0 as playing_while_down_seconds,
        0 as outages,
        cast(null as double) as bandwidth_kbps
    from staging.player_day_run as r
    cross join (values (0), (1), (2)) as k (days)
    inner join staging.zone_opening as o
        on o.zone_id = r.zone_id
        and o.date = cast(r.date - k.days * interval '1' day as date)
        and o.opens_at < r.until_at
        and o.closes_at > r.from_at
    union all
    select
        r.device_id,
        r.zone_id,
        r.date,
        0 as up_seconds,
        0 as down_seconds,
        0 as unknown_seconds,
        0 as open_up_seconds,
        0 as open_down_seconds,
        date_diff(
            'second',
            case when p.from_at > r.from_at then p.from_at else r.from_at end,
            case when p.until_at < r.until_at then p.until_at else r.until_at end
        ) as planned_down_seconds,
        0 as silent_seconds,
        0 as playing_while_down_seconds,
        0 as outages,
        cast(null as double) as bandwidth_kbps
    from staging.player_day_run as r
    inner join staging.planned_span as p on p.from_at < r.until_at and p.until_at > r.from_at
    where r.state = 'down'
    union all
    select
        r.device_id,
        r.zone_id,
        r.date,
        0 as up_seconds,
        0 as down_seconds,
        0 as unknown_seconds,
        0 as open_up_seconds,
        0 as open_down_seconds,
        0 as planned_down_seconds,
        date_diff(
            'second',
            case when q.from_at > r.from_at then q.from_at else r.from_at end,
            case when q.until_at < r.until_at then q.until_at else r.until_at end
        ) as silent_seconds,
        0 as playing_while_down_seconds,
        0 as outages,
        cast(null as double) as bandwidth_kbps
    from staging.player_day_run as r
    inner join quiet as q
        on q.zone_id = r.zone_id
        and q.date = r.date
        and q.from_at < r.until_at
        and q.until_at > r.from_at
    where r.state = 'up'
    union all
    select
        device_id,
        zone_id,
        date,
        0 as up_seconds,
        0 as down_seconds,
        0 as unknown_seconds,
        0 as open_up_seconds,
        0 as open_down_seconds,
        0 as planned_down_seconds,
        0 as silent_seconds,
        played_seconds as playing_while_down_seconds,
        0 as outages,
        cast(null as double) as bandwidth_kbps
    from staging.player_day_played
    union all
    select
        device_id,
        zone_id,
        date,
        0 as up_seconds,
        0 as down_seconds,
        0 as unknown_seconds,
        0 as open_up_seconds,
        0 as open_down_seconds,
        0 as planned_down_seconds,
        0 as silent_seconds,
        0 as playing_while_down_seconds,
        1 as outages,
        cast(null as double) as bandwidth_kbps
    from mart.fact_outage
    union all
    select
        r.device_id,
        r.zone_id,
        z.date,
        0 as up_seconds,
        0 as down_seconds,
        0 as unknown_seconds,
        0 as open_up_seconds,
        0 as open_down_seconds,
        0 as planned_down_seconds,
        0 as silent_seconds,
        0 as playing_while_down_seconds,
        1 as outages,
        cast(null as double) as bandwidth_kbps
    from staging.player_run as r
    inner join core.zone_day as z on z.zone_id = r.zone_id and z.start_at <= r.from_at and z.end_at > r.from_at
    where
        r.device_id is null
        and r.state = 'down'
        and date_diff('second', r.from_at, r.until_at) >= 900
    union all
    select
        s.device_id,
        s.zone_id,
        z.date,
        0 as up_seconds,
        0 as down_seconds,
        0 as unknown_seconds,
        0 as open_up_seconds,
        0 as open_down_seconds,
        0 as planned_down_seconds,
        0 as silent_seconds,
        0 as playing_while_down_seconds,
        0 as outages,
        s.bandwidth_kbps
    from staging.device_snapshot as s
    inner join staging.device_counted as c
        on c.device_id = s.device_id and s.seen_at between c.counted_from and c.counted_until
    cross join (values (-1), (0), (1)) as k (days)
    inner join core.zone_day as z
        on z.zone_id = s.zone_id
        and z.date = cast(cast(s.seen_at as date) + k.days * interval '1' day as date)
        and z.start_at <= s.seen_at
        and z.end_at > s.seen_at
)

select
    device_id,
    zone_id,
    date,
    cast(sum(up_seconds) as bigint) as up_seconds,
    cast(sum(down_seconds) as bigint) as down_seconds,
    cast(sum(unknown_seconds) as bigint) as unknown_seconds,
    cast(sum(open_up_seconds) as bigint) as open_up_seconds,
    cast(sum(open_down_seconds) as bigint) as open_down_seconds,
    cast(sum(planned_down_seconds) as bigint) as planned_down_seconds,
    cast(sum(silent_seconds) as bigint) as silent_seconds,
    cast(sum(playing_while_down_seconds) as bigint) as playing_while_down_seconds,
    cast(sum(outages) as bigint) as outages,
    round(avg(bandwidth_kbps), 3) as bandwidth_kbps
from part
group by device_id, zone_id, date
having cast(sum(up_seconds + down_seconds + unknown_seconds) as bigint) > 0
