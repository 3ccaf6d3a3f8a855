-- One row per local date of the period, with its week and month, for own reports.
--
-- Reads: chosen_date

select
    date,
    week,
    month
from chosen_date
