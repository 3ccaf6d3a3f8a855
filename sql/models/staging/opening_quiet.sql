-- One row per opening and span of over ten minutes in which a zone was open but played nothing: the part of the span
-- within the opening.
--
-- Grain: zone_id, from_at
-- Reads: staging.zone_gap, staging.zone_opening, staging.zone_pause
-- Built: day of devices, reach 1
-- Columns:
--   zone_id    The zone.
--   date       Local date on which it opened.
--   from_at    Start of the part, in UTC.
--   until_at   End of the part.

with quiet as (
    select
        o.zone_id,
        o.date,
        o.opens_at,
        o.closes_at,
        o.open_from_at,
        o.open_until_at,
        g.from_at,
        g.until_at
    from staging.zone_opening as o
    cross join (values (-1), (0), (1)) as k (days)
    inner join staging.zone_gap as g
        on g.zone_id = o.zone_id
        and g.date = cast(o.date + k.days * interval '1' day as date)
        and g.from_at < o.closes_at
        and g.until_at > o.opens_at
    union all
    select
        o.zone_id,
        o.date,
        o.opens_at,
        o.closes_at,
        o.open_from_at,
        o.open_until_at,
        p.from_at,
        p.until_at
    from staging.zone_opening as o
    inner join staging.zone_pause as p
        on p.zone_id = o.zone_id
        and p.from_at < o.closes_at
        and p.until_at > o.opens_at
),

clipped as (
    select
        zone_id,
        date,
        case when from_at < opens_at then opens_at else from_at end as from_at,
        case when until_at > closes_at then closes_at else until_at end as until_at,
        case when from_at < open_from_at then open_from_at else from_at end as span_from_at,
        case when until_at > open_until_at then open_until_at else until_at end as span_until_at
    from quiet
)

select
    zone_id,
    date,
    from_at,
    until_at
from clipped
-- The whole span, which may extend into adjoining openings.
where date_diff('second', span_from_at, span_until_at) > 600
