-- One row per opening of a zone. Hours come from reference/opening_hours.csv; for zones not listed there, they are learnt
-- from plays.
--
-- Grain: zone_id, opens_at
-- Reads: core.calendar, core.opening_hours, core.zone_day, mart.fact_clock_change, staging.zone_learnt_opening
-- Built: whole
-- Columns:
--   zone_id         The zone.
--   date            Local date on which it opens.
--   opens_at        Instant of opening, in UTC; if an earlier opening overlaps, the instant at which that one closes.
--   closes_at       Instant of closing, exclusive; may be on the next date.
--   open_from_at    Start of the continuous open time, over adjoining openings.
--   open_until_at   End of the continuous open time.

with given_zone as (
    select distinct zone_id
    from core.opening_hours
),

-- Openings of the day before a zone's first day may extend into the first day.
opening_day as (
    select
        zone_id,
        date,
        start_at,
        end_at,
        0 as closes_after_secs
    from core.zone_day
    union all
    select
        zone_id,
        cast(min(date) - interval '1' day as date) as date,
        cast(min(start_at) - interval '24' hour as timestamp(6)) as start_at,
        min(start_at) as end_at,
        86400 as closes_after_secs
    from core.zone_day
    group by zone_id
),

hours as (
    select
        z.zone_id,
        z.date,
        z.start_at,
        z.end_at,
        o.opens_secs,
        o.closes_secs
    from opening_day as z
    inner join core.calendar as c on c.date = z.date
    inner join core.opening_hours as o
        on o.zone_id = z.zone_id
        and o.day_of_week = c.day_of_week
        and o.closes_secs > z.closes_after_secs
    union all
    select
        z.zone_id,
        z.date,
        z.start_at,
        z.end_at,
        l.opens_secs,
        l.closes_secs
    from opening_day as z
    inner join staging.zone_learnt_opening as l
        on l.zone_id = z.zone_id
        and l.date = z.date
        and l.closes_secs > z.closes_after_secs
    left join given_zone as g on g.zone_id = z.zone_id
    where g.zone_id is null
),

-- Times of day at which zones open or close.
time_of_day as (
    select
        zone_id,
        date,
        start_at,
        end_at,
        opens_secs as secs
    from hours
    union
    select
        zone_id,
        date,
        start_at,
        end_at,
        closes_secs as secs
    from hours
),

-- Times after midnight are read by the next day's clock.
timed as (
    select
        h.zone_id,
        h.date,
        h.secs,
        case when h.secs < 86400 then h.start_at else h.end_at end as midnight_at,
        mod(h.secs, 86400) as secs_of_day,
        cast(h.date + case when h.secs < 86400 then 0 else 1 end * interval '1' day as date) as date_of_time
    from time_of_day as h
),

shown as (
    select
        t.zone_id,
        t.date,
        t.secs,
        cast(
            t.midnight_at
            + (
                t.secs_of_day
                - case
                    when t.secs_of_day >= c.resumes_secs then c.change_secs
                    else 0
                end
            )
            * interval '1' second as timestamp(6)
        ) as shown_at
    from timed as t
    left join mart.fact_clock_change as c on c.zone_id = t.zone_id and c.date = t.date_of_time and c.is_known
),

placed as (
    select
        h.zone_id,
        h.date,
        o.shown_at as opens_at,
        c.shown_at as closes_at
    from hours as h
    inner join shown as o on o.zone_id = h.zone_id and o.date = h.date and o.secs = h.opens_secs
    inner join shown as c on c.zone_id = h.zone_id and c.date = h.date and c.secs = h.closes_secs
),

reached as (
    select
        placed.*,
        max(closes_at) over (
            partition by zone_id order by opens_at, closes_at rows between unbounded preceding and current row
        ) as reached_at,
        max(closes_at) over (
            partition by zone_id order by opens_at, closes_at rows between unbounded preceding and 1 preceding
        ) as reached_before_at,
        lead(opens_at) over (partition by zone_id order by opens_at, closes_at) as next_opens_at
    from placed
    -- Excludes hours skipped by a clock change.
    where opens_at < closes_at
),

opening as (
    select
        zone_id,
        date,
        case when reached_before_at > opens_at then reached_before_at else opens_at end as opens_at,
        closes_at,
        max(case when reached_before_at >= opens_at then null else opens_at end) over (
            partition by zone_id order by opens_at, closes_at rows between unbounded preceding and current row
        ) as open_from_at,
        min(case when next_opens_at <= reached_at then null else reached_at end) over (
            partition by zone_id order by opens_at, closes_at rows between current row and unbounded following
        ) as open_until_at
    from reached
)

-- If a clock goes forward by hours, hours of adjacent days may overlap, so shared time is counted once.
select
    zone_id,
    date,
    opens_at,
    closes_at,
    open_from_at,
    open_until_at
from opening
where opens_at < closes_at
