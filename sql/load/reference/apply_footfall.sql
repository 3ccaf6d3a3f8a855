-- Replaces the footfall.
-- Reads: temp.reference_row
-- Leaves: core.footfall
delete from core.footfall;

insert into core.footfall
select
    case when not is_location then id end as zone_id,
    case when is_location then id end as location_id,
    day_of_week,
    opens_secs as from_secs,
    closes_secs as to_secs,
    people,
    value as source,
    valid_from,
    valid_to
from temp.reference_row;
