-- How many records core has, how many of them otherwise, and how many are of a play that another record is of, too: as many
-- as are more than the bits that they set in a map of core.play, in parts of a million rows.
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
