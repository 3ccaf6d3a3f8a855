-- The next lines that are not sound, as their place among the lines that are not blank, from 1.
with numbered as (
    select
        rowid - (select min(rowid) from line_test) + 1 as ordinal,
        is_sound
    from line_test
)

select ordinal
from numbered
where not is_sound and ordinal > ?
order by ordinal
limit ?
