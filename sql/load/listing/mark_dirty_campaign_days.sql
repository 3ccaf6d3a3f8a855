-- Days whose cells of compliance may change, for the next build. Local dates are at most one off those of UTC.
-- Reads: core.calendar, core.dirty_campaign_day, core.zone_day, temp.changed_span
-- Makes: core.dirty_campaign_day
insert into core.dirty_campaign_day
with range as (
    select distinct
        kind,
        cast(from_at as date) - 1 as first_date,
        cast(until_at as date) + 1 as last_date
    from temp.changed_span
),

known as (
    select
        min(date) as first_date,
        max(date) as last_date
    from core.zone_day
)

select distinct
    r.kind,
    c.date
from core.calendar as c
inner join known as k on c.date between k.first_date and k.last_date
inner join range as r on c.date >= r.first_date and (r.last_date is null or c.date <= r.last_date)
except
select *
from core.dirty_campaign_day
