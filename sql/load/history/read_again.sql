-- What was found of lines is found anew, with those that are read in addition.
-- Reads: nothing
-- Makes: temp.merged_repeat, temp.repeated_key
delete from temp.repeated_key;

delete from temp.merged_repeat;
