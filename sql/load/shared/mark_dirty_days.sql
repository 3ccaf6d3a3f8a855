-- Dates whose plays changed, for the next build.
insert into core.dirty_day
select
    kind,
    date
from changed_day
where date is not null
except
select
    kind,
    date
from core.dirty_day
