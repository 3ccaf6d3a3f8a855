-- Days of the share's campaigns.

select t.*
from whole.fact_campaign_zone_day as t
where exists (
    select 1
    from share.span as c
    where c.campaign_key = t.campaign_key and t.date between c.valid_from and c.valid_to
)
