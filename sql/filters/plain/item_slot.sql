-- Returns no rows, because no attribute is chosen.
--
-- Reads: p

select
    cast(null as bigint) as item_key,
    date '1900-01-01' as slot_from,
    date '2099-12-31' as slot_to,
    cast(null as varchar) as slot_1,
    cast(null as varchar) as slot_2,
    cast(null as varchar) as slot_3
from p
where false
