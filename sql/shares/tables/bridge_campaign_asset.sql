-- Rows of the share's campaigns.

select t.*
from whole.bridge_campaign_asset as t
where t.campaign_key in (select c.campaign_key from share.campaign as c)
