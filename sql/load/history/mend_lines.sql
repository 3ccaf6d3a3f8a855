-- Lines that JavaScript could read become sound; the others that it looked at are not.
-- Reads: $first_row, temp.judged_text, temp.wanted_line
-- Makes: temp.line
update temp.line
set played_at = null
from temp.wanted_line as w
where line.played_at is not null and line.rowid = w.line_row + getvariable('first_row');

update temp.line
set
    played_at = j.sound_played_at,
    duration_secs = j.seconds,
    place_hash = j.place_hash,
    item_hash = j.item_hash
from typed_line('temp.judged_text') as j
where line.rowid = j.line_row + getvariable('first_row');
