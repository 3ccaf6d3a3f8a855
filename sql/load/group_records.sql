-- The loaded records by zone and dates, with the two first instants of each group.
create or replace temp table record_group as
select
    zone_id,
    written_date(played_at, written_offset_minutes) as written_on,
    date,
    utc_offset_minutes,
    count(*) as records,
    count(*) filter (where duration_secs = 0) as zero_second,
    min(played_at, 2) as first_two,
    max(played_at) filter (where duration_secs > 0) as last_play_at
from loaded_record
group by zone_id, written_on, date, utc_offset_minutes
