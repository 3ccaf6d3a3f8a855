-- The pieces that have to be read are in this reading: their places, in any order.
-- Reads: $reading
-- Makes: temp.piece
update temp.piece
set reading = getvariable('reading')
where not is_known and not is_repeat and reading is null
returning place
