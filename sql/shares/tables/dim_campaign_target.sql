-- Ranges that overlap the share's: at other times, the campaign may have been somebody else's.

select t.*
from whole.dim_campaign_target as t
where exists (
    select 1
    from share.span as c
    where c.campaign_key = t.campaign_key and c.valid_from <= t.valid_to and c.valid_to >= t.valid_from
)
