-- One row per device or whole zone, local day and opening with silence: it was up in a span of over ten
-- minutes in which the zone was open and nothing played. Such a span continues over midnight and into an adjoining
-- opening, but each day and each opening has its own row.
--
-- Grain: device_id, zone_id, date, from_at
-- Reads: core.zone_day, staging.opening_quiet, staging.player_run
-- Built: day of devices
-- Columns:
--   device_id        The device; null: the zone as a whole.
--   zone_id          The zone.
--   date             The zone's local day.
--   from_at          Start of the silence in this opening, in UTC.
--   silent_seconds   Seconds of the silence on this day.

-- An opening may extend into the day two dates after its own, as in staging.player_day.
with overlap as (
    select
        r.device_id,
        q.zone_id,
        z.date,
        z.start_at,
        z.end_at,
        case when r.from_at > q.from_at then r.from_at else q.from_at end as from_at,
        case when r.until_at < q.until_at then r.until_at else q.until_at end as until_at
    from core.zone_day as z
    cross join (values (0), (1), (2)) as k (days)
    inner join staging.opening_quiet as q
        on q.zone_id = z.zone_id
        and q.date = cast(z.date - k.days * interval '1' day as date)
        and q.from_at < z.end_at
        and q.until_at > z.start_at
    inner join staging.player_run as r
        on r.zone_id = q.zone_id
        and r.state = 'up'
        and r.from_at < q.until_at
        and r.until_at > q.from_at
    where
        r.from_at < z.end_at
        and r.until_at > z.start_at
)

select
    device_id,
    zone_id,
    date,
    from_at,
    date_diff(
        'second',
        case when from_at < start_at then start_at else from_at end,
        case when until_at > end_at then end_at else until_at end
    ) as silent_seconds
from overlap
