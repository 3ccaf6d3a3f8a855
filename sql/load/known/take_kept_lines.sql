-- The lines of dates that are not known, from those that the look kept.
create or replace temp table changed_text as
select
    line.*
from (
    select unnest(kept_lines) as line
    from seen_day
    where not is_known
)
