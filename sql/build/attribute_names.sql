-- One row per subject and attribute. `is_number` is true if all its values are decimal numbers. Values with a leading
-- zero, such as 007, are ids or postcodes, and values of more than 15 characters are not exact as numbers, so such
-- attributes stay text.
--
-- Reads: core.attribute
select
    case subject when 'location' then 'zone' else subject end as subject,
    name,
    bool_and(
        length(value) <= 15
        and coalesce(regexp_extract(value, '^-?(0|[1-9][0-9]*)([.][0-9]+)?$'), '') = value
    ) as is_number
from core.attribute
group by 1, 2
order by 1, 2
