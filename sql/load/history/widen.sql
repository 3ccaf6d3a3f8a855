-- Known pieces that have to be read after all: a line that was read says something else than they do of the same play.
-- Reads: temp.matched
-- Makes: temp.piece
update temp.piece
set is_known = false
where is_known and piece_id in (select stored_piece_id from temp.matched where is_shown and is_other)
