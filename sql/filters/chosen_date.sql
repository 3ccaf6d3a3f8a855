-- The local dates of the period, with their weeks, months and quarters.
--
-- Reads: dim_date, p

select
    d.date,
    cast(d.iso_year as varchar) || '-W' || lpad(cast(d.iso_week as varchar), 2, '0') as week,
    d.month,
    cast(d.year as varchar) || '-Q' || cast(d.quarter as varchar) as quarter
from p
inner join dim_date as d on d.date between p.date_from and p.date_to
