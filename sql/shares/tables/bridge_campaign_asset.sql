-- Links that existed while the campaign was the share's.

select t.*
from whole.bridge_campaign_asset as t
where exists (
    select 1
    from share.span as c
    where
        c.campaign_key = t.campaign_key
        and t.linked_from < c.valid_to + interval '1' day
        and coalesce(t.linked_to, timestamp '9999-12-31 00:00:00') > c.valid_from
)
