-- Bookings of the share's campaigns on whose every day these are the share's: the plays of a booking can't be divided
-- among customers.

select t.*
from whole.dim_campaign_target as t
where
    t.campaign_key in (select c.campaign_key from share.campaign as c)
    and not exists (
        select 1
        from share.gap as g
        where g.campaign_key = t.campaign_key and g.valid_from <= t.valid_to and g.valid_to >= t.valid_from
    )
