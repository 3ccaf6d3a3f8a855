-- The campaigns requested by kind and key.
--
-- Reads: dim_campaign, p

select c.*
from p
cross join dim_campaign as c
where
    (p.kinds = '' or position(',' || c.kind || ',' in p.kinds) > 0)
    and (p.campaign_keys = '' or position(',' || cast(c.campaign_key as varchar) || ',' in p.campaign_keys) > 0)
