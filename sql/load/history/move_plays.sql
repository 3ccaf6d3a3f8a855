-- Plays that another piece than before shows.
-- Reads: temp.matched
-- Makes: core.play
update core.play
set piece_id = m.piece_id
from temp.matched as m
where play.rowid = m.stored_row and not m.is_shown and m.stored_piece_id is distinct from m.piece_id
