-- The requested campaigns, if no attribute is chosen.
--
-- Reads: asked_campaign

select *
from asked_campaign
