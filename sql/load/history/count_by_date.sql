-- How many lines were read of each date in UTC, and between which rows they are.
-- Reads: temp.line
-- Makes: nothing
select
    cast(cast(played_at as date) as timestamp) as "from",
    cast(cast(played_at as date) + 1 as timestamp) as "to",
    count(*) as lines,
    min(rowid) as first_row,
    max(rowid) as last_row
from temp.line
where played_at is not null
group by cast(played_at as date)
order by 1
