-- All items with their values of the chosen attributes: one row per item and range of days in the period with the same
-- values. Empty if no attribute of items is chosen.
--
-- Reads: attribute_span, dim_item, p

with valued as (
    select
        t.*,
        coalesce(s.slot_from, date '1900-01-01') as slot_from,
        coalesce(s.slot_to, date '2099-12-31') as slot_to,
        case when p.slot_1_of = 'item' then coalesce(s.slot_1, '(none)') end as slot_1,
        case when p.slot_2_of = 'item' then coalesce(s.slot_2, '(none)') end as slot_2,
        case when p.slot_3_of = 'item' then coalesce(s.slot_3, '(none)') end as slot_3
    from p
    cross join dim_item as t
    left join attribute_span as s
        on s.subject = 'item'
        and s.subject_key = t.item_key
    where 'item' in (p.slot_1_of, p.slot_2_of, p.slot_3_of)
)

select v.*
from p
cross join valued as v
where
    (p.slot_1_of <> 'item' or p.slot_1_values = '' or position(chr(31) || v.slot_1 || chr(31) in p.slot_1_values) > 0)
    and (p.slot_2_of <> 'item' or p.slot_2_values = '' or position(chr(31) || v.slot_2 || chr(31) in p.slot_2_values) > 0)
    and (p.slot_3_of <> 'item' or p.slot_3_values = '' or position(chr(31) || v.slot_3 || chr(31) in p.slot_3_values) > 0)
