-- One row per day, without gaps, in every calendar year with zone days, openings or restated days. Openings are
-- included because one may begin on the day before a zone's first day.
--
-- Grain: date
-- Reads: core.calendar, core.campaign_date, core.campaign_listing, core.restatement, core.zone_day,
--   mart.fact_play_zone_day, staging.zone_opening
-- Built: whole
-- Columns:
--   date          Date (date): The local day, by the zone's own clock.
--   year          Year (ordinal): Calendar year.
--   quarter       Quarter (ordinal): Quarter of the year, 1 to 4.
--   month         Month (text): Calendar month, as YYYY-MM.
--   iso_year      ISO year (ordinal): Year that contains the ISO week.
--   iso_week      ISO week (ordinal): ISO week, 1 to 53.
--   day_of_week   Day of week (ordinal): 1 = Monday to 7 = Sunday.

with named as (
    select date from mart.fact_play_zone_day
    union
    select date from core.zone_day
    union
    select date from staging.zone_opening
    union
    select date from core.restatement
    union
    select date from core.campaign_date
    union
    -- Schedules cover future days, even if nothing has played yet.
    select cast(max(date) + interval '92' day as date) as date from core.zone_day
    union
    select cast(max(requested_at) + interval '92' day as date) as date from core.campaign_listing
),

span as (
    select
        year(min(date)) as first_year,
        year(max(date)) as last_year
    from named
)

select
    c.date,
    c.year,
    c.quarter,
    c.month,
    c.iso_year,
    c.iso_week,
    c.day_of_week
from core.calendar as c
cross join span as s
where c.year between s.first_year and s.last_year
