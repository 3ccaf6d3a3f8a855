-- One row per local date of the period, with its week, month and quarter, for own reports.
--
-- Reads: chosen_date

select
    date,
    week,
    month,
    quarter
from chosen_date
