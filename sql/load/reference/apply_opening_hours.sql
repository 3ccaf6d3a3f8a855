delete from core.opening_hours;

insert into core.opening_hours
select
    id as zone_id,
    day_of_week,
    opens_secs,
    closes_secs
from reference_row
