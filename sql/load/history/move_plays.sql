-- Assigns plays to the piece in which they were read, if they belonged to another piece or to none. Parameters: the
-- first row of a range, and the first row after it.
-- Reads: temp.matched
-- Leaves: core.play
update core.play
set piece_id = m.piece_id
from temp.matched as m
where
    play.rowid = m.stored_row
    and not m.is_shown
    and m.stored_piece_id is distinct from m.piece_id
    and m.stored_row >= ?
    and m.stored_row < ?
