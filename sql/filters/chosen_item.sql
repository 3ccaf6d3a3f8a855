-- Items that match the requested kinds and numbers.
--
-- Reads: dim_item, p

select i.*
from p
cross join dim_item as i
where
    (p.kinds = '' or position(',' || i.kind || ',' in p.kinds) > 0)
    and (p.item_ids = '' or position(',' || cast(i.item_id as varchar) || ',' in p.item_ids) > 0)
