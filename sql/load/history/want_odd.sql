-- All lines of the sets that still have no ids and names: the line that JavaScript read is no record, or writes its ids
-- in an unusual way.
-- Reads: $first_row, temp.item, temp.line, temp.line_set, temp.place
-- Makes: temp.judged_line, temp.wanted_line
delete from temp.wanted_line;

delete from temp.judged_line;

insert into temp.wanted_line
with odd_place as (
    select s.hash
    from temp.line_set as s
    anti join temp.place as p on p.place_hash = s.hash
    where s.is_place
),

odd_item as (
    select s.hash
    from temp.line_set as s
    anti join temp.item as i on i.item_hash = s.hash
    where not s.is_place
)

select rowid - getvariable('first_row') as line_row
from temp.line
where
    is_sound
    and (place_hash in (select hash from odd_place) or item_hash in (select hash from odd_item));
