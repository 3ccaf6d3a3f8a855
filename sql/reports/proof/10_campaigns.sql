-- The campaigns of a proof: one row per requested campaign, even without a day in the period.
--
-- Reads: chosen_campaign
-- Columns:
--   kind            = dim_campaign.kind
--   campaign_id     = dim_campaign.campaign_id
--   campaign_name   = dim_campaign.campaign_name

select
    kind,
    campaign_id,
    campaign_name
from chosen_campaign
order by kind, campaign_id
