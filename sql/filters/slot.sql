-- The chosen attributes, by slot.
--
-- Reads: p

select
    1 as slot,
    slot_1_of as subject,
    slot_1_name as attribute_name
from p
where slot_1_of <> ''
union all
select
    2 as slot,
    slot_2_of as subject,
    slot_2_name as attribute_name
from p
where slot_2_of <> ''
union all
select
    3 as slot,
    slot_3_of as subject,
    slot_3_name as attribute_name
from p
where slot_3_of <> ''
