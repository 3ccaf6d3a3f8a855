-- The campaigns that were asked for, by kind and by number.
--
-- Reads: dim_campaign, p

select c.*
from p
cross join dim_campaign as c
where
    (p.kinds = '' or position(',' || c.kind || ',' in p.kinds) > 0)
    and (p.campaign_ids = '' or position(',' || cast(c.campaign_id as varchar) || ',' in p.campaign_ids) > 0)
