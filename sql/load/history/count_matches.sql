-- How many records core has, of how many it has to say something else, and how many there are more than plays that they are
-- of. Plays are counted as bits, a million rows of core.play at a time.
-- Reads: temp.matched
-- Makes: nothing
with part as (
    select
        count(*) as matched,
        count(*) filter (where is_changed) as changed,
        system.main.bit_count(bitstring_agg(stored_row % 1000000, 0, 999999)) as plays
    from temp.matched
    group by stored_row // 1000000
)

select
    cast(coalesce(sum(matched), 0) as bigint) as matched,
    cast(coalesce(sum(changed), 0) as bigint) as changed,
    cast(coalesce(sum(matched - plays), 0) as bigint) as "matchedTwice"
from part
