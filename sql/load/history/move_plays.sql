-- Plays that another piece than before shows, of a range of rows: the parameters are its first one, and the one behind it.
-- Reads: temp.matched
-- Makes: core.play
update core.play
set piece_id = m.piece_id
from temp.matched as m
where
    play.rowid = m.stored_row
    and not m.is_shown
    and m.stored_piece_id is distinct from m.piece_id
    and m.stored_row >= ?
    and m.stored_row < ?
