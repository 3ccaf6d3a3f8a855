-- The requested campaigns if no attribute is chosen; each is valid on all days.
--
-- Reads: asked_campaign

select
    c.*,
    date '1900-01-01' as slot_from,
    date '2099-12-31' as slot_to,
    cast(null as varchar) as slot_1,
    cast(null as varchar) as slot_2,
    cast(null as varchar) as slot_3
from asked_campaign as c
