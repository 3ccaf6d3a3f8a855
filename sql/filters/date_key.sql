-- The local dates of the period with the date, week, month or quarter that rows are grouped by.
--
-- Reads: chosen_date, p

select
    d.date,
    case when p.by_date then d.date end as key_date,
    case when p.by_week then d.week end as key_week,
    case when p.by_month then d.month end as key_month,
    case when p.by_quarter then d.quarter end as key_quarter
from p
cross join chosen_date as d
