-- One row per kind with lines: line counts by outcome, summed over the latest load of each source.

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
from ({{newest_load}}) as newest
group by kind
order by kind
