-- The lines of a load are of no use to the next one, and take memory meanwhile.
-- Reads: nothing
-- Makes: temp.line
delete from temp.line
