-- The requested zones if no attribute is chosen; each is valid on all days.
--
-- Reads: asked_zone

select
    a.*,
    date '1900-01-01' as slot_from,
    date '2099-12-31' as slot_to,
    cast(null as varchar) as slot_1,
    cast(null as varchar) as slot_2,
    cast(null as varchar) as slot_3
from asked_zone as a
