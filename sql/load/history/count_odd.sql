-- How many sets still have no ids and names.
-- Reads: temp.item, temp.line_set, temp.place
-- Makes: nothing
select
    (select count(*) from temp.line_set)
    - (select count(*) from temp.place)
    - (select count(*) from temp.item) as odd
