-- One row per zone, local day and span in which the zone is open by its own clock, for zones whose campaign rules have
-- times of day. Hours come from reference/opening_hours.csv; for zones not listed there, they are learnt from plays. A
-- zone without plays in the four weeks before and after is treated as open all day. A day without rows is closed.
--
-- Grain: zone_id, date, opens_secs, closes_secs
-- Reads: core.calendar, core.opening_hours, core.zone_day, mart.bridge_zone_listing, mart.fact_listed_campaign, mart.fact_rule_date, staging.zone_learnt_opening
-- Built: whole
-- Columns:
--   zone_id       = dim_zone.zone_id: The zone.
--   date          = dim_date.date: Local day.
--   opens_secs    Opens (seconds): Opening time in seconds since midnight; 0 also if it opened on the day before.
--   closes_secs   Closes (seconds): Closing time in seconds since midnight, exclusive; 86,400 also if it closes on the
--                 next day.

with timed_rule as (
    select distinct rule_id
    from mart.fact_rule_date
    where time_set is not null
),

zone as (
    select distinct b.zone_id
    from mart.bridge_zone_listing as b
    inner join mart.fact_listed_campaign as s
        on s.kind = b.kind and s.owner_kind = b.owner_kind and s.owner_id = b.owner_id
    inner join timed_rule as r on r.rule_id = s.rule_id
),

given_zone as (
    select distinct zone_id
    from core.opening_hours
),

day as (
    select
        d.zone_id,
        d.date,
        c.day_of_week,
        g.zone_id is not null as is_given
    from core.zone_day as d
    inner join zone as z on z.zone_id = d.zone_id
    inner join core.calendar as c on c.date = d.date
    left join given_zone as g on g.zone_id = d.zone_id
),

-- Hours relative to the day of the opening, and to the next day.
learnt as (
    select
        l.zone_id,
        cast(l.date + k.days * interval '1' day as date) as date,
        l.opens_secs - 86400 * k.days as opens_secs,
        l.closes_secs - 86400 * k.days as closes_secs
    from staging.zone_learnt_opening as l
    cross join (values (0), (1)) as k (days)
),

-- Openings that begin on the day, and those of the previous day that extend past midnight.
span as (
    select
        d.zone_id,
        d.date,
        o.opens_secs,
        o.closes_secs
    from day as d
    inner join core.opening_hours as o on o.zone_id = d.zone_id and o.day_of_week = d.day_of_week
    union all
    select
        d.zone_id,
        d.date,
        o.opens_secs - 86400 as opens_secs,
        o.closes_secs - 86400 as closes_secs
    from day as d
    inner join core.opening_hours as o on o.zone_id = d.zone_id and o.day_of_week % 7 + 1 = d.day_of_week
    union all
    select
        d.zone_id,
        d.date,
        l.opens_secs,
        l.closes_secs
    from day as d
    inner join learnt as l on l.zone_id = d.zone_id and l.date = d.date
    where not d.is_given
),

-- Days within three days of a day with learnt hours. If a zone plays on any weekday, all its days are among them, and
-- those without hours are closed. Other days are treated as open all day.
known as (
    select distinct
        l.zone_id,
        cast(l.date + k.days * interval '1' day as date) as date
    from staging.zone_learnt_opening as l
    cross join (values (-3), (-2), (-1), (0), (1), (2), (3)) as k (days)
)

select distinct
    zone_id,
    date,
    cast(case when opens_secs < 0 then 0 else opens_secs end as bigint) as opens_secs,
    cast(case when closes_secs > 86400 then 86400 else closes_secs end as bigint) as closes_secs
from span
where closes_secs > 0 and opens_secs < 86400 and opens_secs < closes_secs
union all
select
    d.zone_id,
    d.date,
    cast(0 as bigint) as opens_secs,
    cast(86400 as bigint) as closes_secs
from day as d
left join known as k on k.zone_id = d.zone_id and k.date = d.date
where not d.is_given and k.zone_id is null
