-- The dates whose lines the look keeps: from the day before the last one that is known, as many as are likely to
-- have no more than 300,000 lines, at most ten. Both null: none.
with recent as (
    select
        date,
        sum(lines) as lines
    from core.day_fingerprint
    where kind = getvariable('kind')
    group by date
    order by date desc
    limit 7
),

window_of_dates as (
    select
        max(date) as last_date,
        cast(least(300000 // max(lines), 10) as integer) as dates
    from recent
)

select
    case when dates >= 2 then cast(last_date - 1 as varchar) end as kept_from,
    case when dates >= 2 then cast(last_date + (dates - 2) as varchar) end as kept_to
from window_of_dates
