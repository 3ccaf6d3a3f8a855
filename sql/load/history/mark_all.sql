-- All pieces are in this reading, known ones as well.
-- Reads: $reading
-- Makes: temp.piece
update temp.piece
set
    is_known = false,
    reading = getvariable('reading')
