-- The requested campaigns that have the requested attributes on a day of the period; each once.
--
-- Reads: asked_campaign, campaign_slot

select a.*
from asked_campaign as a
where a.campaign_key in (select campaign_key from campaign_slot)
