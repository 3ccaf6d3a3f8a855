-- One row per item, attribute and range of local dates with one value.
--
-- Grain: item_key, attribute_name, valid_from
-- Reads: core.attribute
-- Built: whole
-- Columns:
--   item_key          = dim_item.item_key: The item, which may be unknown.
--   attribute_name    Attribute (text): Column of reference/item_attributes.csv.
--   attribute_value   = bridge_zone_attribute.attribute_value
--   valid_from        = bridge_zone_attribute.valid_from
--   valid_to          = bridge_zone_attribute.valid_to

select
    subject_key as item_key,
    name as attribute_name,
    value as attribute_value,
    valid_from,
    valid_to
from core.attribute
where subject = 'item'
