-- One row per day.
--
-- Reads: lake.calendar

select distinct
    date,
    year,
    quarter,
    month,
    iso_year,
    iso_week,
    day_of_week
from lake.calendar
