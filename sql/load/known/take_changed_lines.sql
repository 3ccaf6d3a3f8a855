-- The lines of dates that are not known, from a second look at the landing. Nothing tells how many lines it has, so
-- the side to build a hash table of is not left to the optimizer.
set disabled_optimizers = 'build_side_probe_side';

create or replace temp table changed_text as
select
    l.*
from landing_text as l
semi join (select zone_id, day from seen_day where not is_known) as d
    on d.zone_id = l.zone_id and d.day = left(l.play_start, 10);

reset disabled_optimizers;
