-- One row per item with any attribute, one column per attribute: its value at the time of the data, as a number if all
-- values of the attribute are numbers.
--
-- Grain: item_key
-- Reads: mart.bridge_item_attribute, mart.mart_info
-- Built: whole
-- Pivot: item
-- Columns:
--   item_key   = dim_item.item_key: The item, which may be unknown.

select
    b.item_key
from mart.bridge_item_attribute as b
cross join mart.mart_info as i
group by b.item_key
