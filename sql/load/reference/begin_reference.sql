create or replace temp table reference_row (
    id bigint not null,
    value varchar,
    day_of_week integer,
    opens_secs integer,
    closes_secs integer
);

create or replace temp table seen_play as
select
    zone_id,
    date,
    utc_offset_minutes,
    played_at as last_at
from core.play
where false;

set variable counted_load_id = 0;

set variable has_other_plays = true;
