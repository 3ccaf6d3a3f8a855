-- The next lines for JavaScript to look at, as their place among the lines that are not blank, from 1.
select
    ordinal,
    bool_or(is_refused) as "isRefused",
    not bool_and(is_refused) as "isPicked"
from wanted_line
where ordinal > ?
group by ordinal
order by ordinal
limit ?
