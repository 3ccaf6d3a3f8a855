-- Selects all lines of the sets that are still unnamed, so that JavaScript classifies each line.
-- Reads: temp.line, temp.unnamed_set
-- Leaves: temp.classified_line, temp.wanted_line
delete from temp.wanted_line;

delete from temp.classified_line;

insert into temp.wanted_line
select rowid as line_row
from temp.line
where
    played_at is not null
    and (
        place_hash in (select hash from temp.unnamed_set where is_place)
        or item_hash in (select hash from temp.unnamed_set where not is_place)
    );
