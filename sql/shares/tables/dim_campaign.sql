-- Rows of the share's campaigns.

select t.*
from whole.dim_campaign as t
where t.campaign_key in (select c.campaign_key from share.campaign as c)
