-- Stores the hashes of lines whose values are exactly those of their play. Parameters: the first row of a range in
-- core.play, and the first row after it.
-- Reads: temp.matched, temp.row_hash
-- Leaves: core.play
update core.play
set line_hash = h.hash
from temp.matched as m
inner join temp.row_hash as h on h.line_row = m.line_row
where
    play.rowid = m.stored_row
    and m.is_exact
    and not m.is_shown
    and h.hash is not null
    and play.line_hash is distinct from h.hash
    and m.stored_row >= ?
    and m.stored_row < ?
