-- Replaces the opening hours of zones.
-- Reads: temp.reference_row
-- Leaves: core.opening_hours
delete from core.opening_hours;

insert into core.opening_hours
select
    id as zone_id,
    day_of_week,
    opens_secs,
    closes_secs
from temp.reference_row;
