-- The lines of dates that are not known, from a second look at the landing.
create or replace temp table changed_text as
select
    l.*
from landing_text as l
semi join (select zone_id, day from seen_day where not is_known) as d
    on d.zone_id = l.zone_id and d.day = left(l.play_start, 10)
