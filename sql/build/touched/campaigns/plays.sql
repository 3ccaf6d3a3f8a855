-- Days whose plays changed.
--
-- Reads: core.dirty_day
select
    kind,
    date
from core.dirty_day
where kind <> 'music'
