-- Plays by zone, by item or by artist: one row for each, most played first.
--
-- For: single-plays
-- Reads: campaign_item_day, chosen_item, dim_artist, dim_item, dim_zone, fact_play_day, item_slot, p, zone_slot
-- Columns:
--   zone_id       = dim_zone.zone_id
--   zone_name     = dim_zone.zone_name
--   kind          = dim_item.kind
--   item_id       = dim_item.item_id
--   item_name     = dim_item.item_name
--   artist_id     = dim_artist.artist_id
--   artist_name   = dim_artist.artist_name
--   plays         = fact_play_day.plays

with counted as (
    select
        case when p.by_zone then f.zone_id end as zone_id,
        case when p.by_item then f.item_key end as item_key,
        case when p.by_artist then f.artist_id end as artist_id,
        cast(sum(f.plays) as bigint) as plays
    from p
    inner join fact_play_day as f on f.date between p.date_from and p.date_to
    inner join zone_slot as z on z.zone_id = f.zone_id and f.date between z.slot_from and z.slot_to
    inner join chosen_item as i on i.item_key = f.item_key
    left join item_slot as t on t.item_key = f.item_key and f.date between t.slot_from and t.slot_to
    left join campaign_item_day as c on c.zone_id = f.zone_id and c.date = f.date and c.item_key = f.item_key
    where
        (p.artist_ids = '' or position(',' || cast(f.artist_id as varchar) || ',' in p.artist_ids) > 0)
        and (p.kinds = '' or position(',' || f.kind || ',' in p.kinds) > 0)
        and ('item' not in (p.slot_1_of, p.slot_2_of, p.slot_3_of) or t.item_key is not null)
        and (p.campaign_keys = '' or c.item_key is not null)
    group by 1, 2, 3
)

select
    c.zone_id,
    z.zone_name,
    i.kind,
    i.item_id,
    i.item_name,
    c.artist_id,
    a.artist_name,
    c.plays
from counted as c
left join dim_zone as z on z.zone_id = c.zone_id
left join dim_item as i on i.item_key = c.item_key
left join dim_artist as a on a.artist_id = c.artist_id
order by c.plays desc, c.zone_id, c.item_key, c.artist_id
