-- Replaces the dayparts.
-- Reads: temp.reference_row
-- Leaves: core.daypart
delete from core.daypart;

insert into core.daypart
select
    value as name,
    opens_secs as from_secs,
    closes_secs as to_secs
from temp.reference_row;
