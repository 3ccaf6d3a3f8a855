-- Lines that JavaScript could read become sound; the others that it looked at are not.
-- Reads: $first_row, temp.judged_text, temp.wanted_line
-- Makes: temp.line
update temp.line
set is_sound = false
from temp.wanted_line as w
where line.is_sound and line.rowid = w.line_row + getvariable('first_row');

update temp.line
set
    played_at = j.began_at,
    duration_secs = j.seconds,
    place_hash = j.place_hash,
    item_hash = j.item_hash,
    is_sound = true
from typed_line('temp.judged_text') as j
where line.rowid = j.line_row + getvariable('first_row');
