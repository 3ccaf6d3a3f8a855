-- One row per campaign, attribute and range of local dates with one value.
--
-- Grain: campaign_key, attribute_name, valid_from
-- Reads: core.attribute
-- Built: whole
-- Columns:
--   campaign_key      = dim_campaign.campaign_key: The campaign, which may be unknown.
--   attribute_name    Attribute (text): Column of reference/campaign_attributes.csv.
--   attribute_value   = bridge_zone_attribute.attribute_value
--   valid_from        = bridge_zone_attribute.valid_from
--   valid_to          = bridge_zone_attribute.valid_to

select
    subject_key as campaign_key,
    name as attribute_name,
    value as attribute_value,
    valid_from,
    valid_to
from core.attribute
where subject = 'campaign'
