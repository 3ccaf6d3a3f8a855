-- Dates whose plays changed, for the next build.
-- Reads: core.dirty_day, temp.changed_day
-- Makes: core.dirty_day
insert into core.dirty_day
select *
from temp.changed_day
where date is not null
except
select *
from core.dirty_day
