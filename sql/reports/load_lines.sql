-- One row per kind with lines: line counts by outcome, summed over the newest load of each source.
--
-- For: quality
-- Reads: newest_load
-- Columns:
--   kind         = dim_kind.kind
--   loads        Loads (count): The newest load of each source, and every file loaded by hand.
--   lines        = fact_load.lines: Lines of the newest load of each source. Note: Each is accounted for: new, changed,
--                unchanged, duplicate, rejected or blank.
--   new_plays    = fact_load.new_plays
--   changed      = fact_load.changed
--   unchanged    = fact_load.unchanged
--   duplicates   = fact_load.duplicate
--   rejected     = fact_load.rejected
--   blank        = fact_load.blank
--   vanished     = fact_load.vanished

select
    kind,
    count(*) as loads,
    cast(sum(lines) as bigint) as lines,
    cast(sum(new_plays) as bigint) as new_plays,
    cast(sum(changed) as bigint) as changed,
    cast(sum(unchanged) as bigint) as unchanged,
    cast(sum(duplicate) as bigint) as duplicates,
    cast(sum(rejected) as bigint) as rejected,
    cast(sum(blank) as bigint) as blank,
    cast(sum(vanished) as bigint) as vanished
from newest_load
group by kind
order by kind
