-- Every line became a record of its own, so the groups of lines are those of records.
create or replace temp table record_group as
select
    zone_id,
    written_on,
    date,
    utc_offset_minutes,
    lines as records,
    zero_second,
    first_two,
    last_play_at
from place_group
