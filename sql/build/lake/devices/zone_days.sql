-- Zone days that were added or removed, or whose start or end changed.
--
-- Reads: core.former_zone_day, core.zone_day
select distinct
    '' as kind,
    coalesce(n.date, b.date) as date
from core.zone_day as n
full join core.former_zone_day as b on b.zone_id = n.zone_id and b.date = n.date
where n.start_at is distinct from b.start_at or n.end_at is distinct from b.end_at
