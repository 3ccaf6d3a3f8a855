-- Known dates that have to be looked at after all: those of mended lines, and those under which a line's play is
-- stored that now gives another date, because the landing may hold both. Answers how many these are.
create or replace temp table widened_day as
select
    d.zone_id,
    d.day
from seen_day as d
where
    d.is_known
    and (
        exists (
            select 1
            from mended_text as m
            where m.zone_id = d.zone_id and left(m.play_start, 10) = d.day
        )
        or exists (
            select 1
            from compared as c
            where
                c.zone_id = d.known_zone_id
                and c.stored_offset_minutes <> c.written_offset_minutes
                and written_date(c.played_at, c.stored_offset_minutes) = d.known_date
        )
    );

update seen_day
set is_known = false
from widened_day as w
where seen_day.zone_id = w.zone_id and seen_day.day = w.day;
