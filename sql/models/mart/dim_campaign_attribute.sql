-- One row per campaign with any attribute, one column per attribute: its value at the time of the data, as a number if
-- all values of the attribute are numbers.
--
-- Grain: campaign_key
-- Reads: mart.bridge_campaign_attribute, mart.mart_info
-- Built: whole
-- Pivot: campaign
-- Columns:
--   campaign_key   = dim_campaign.campaign_key: The campaign, which may be unknown.

select
    b.campaign_key
from mart.bridge_campaign_attribute as b
cross join mart.mart_info as i
group by b.campaign_key
