-- One row per subject and attribute, with `is_number` for attributes whose values are all numbers. A value with letters
-- or leading zeros, such as 1e5 or 007, is not a number.
--
-- Reads: core.attribute
select
    case subject when 'location' then 'zone' else subject end as subject,
    name,
    bool_and(
        try_cast(value as double) is not null
        and lower(value) = upper(value)
        and (value not like '0_%' or value like '0.%')
    ) as is_number
from core.attribute
group by 1, 2
order by 1, 2
