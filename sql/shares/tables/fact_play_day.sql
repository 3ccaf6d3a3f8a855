-- Plays of the campaigns' assets, in zones and on days where they were linked and active.

select t.*
from whole.fact_play_day as t
where exists (
    select 1
    from share.item_day as d
    where d.zone_id = t.zone_id and d.date = t.date and d.item_key = t.item_key
)
