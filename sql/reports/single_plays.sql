-- One row per play, in storage order: month by month, by zone and time.
--
-- For: single-plays
-- Reads: campaign_item_day, chosen_item, dim_artist, fact_play, item_slot, p, zone_slot
-- Attributes: zone, item
-- Columns:
--   played_at_local   = fact_play.played_at_local
--   zone_id           = dim_zone.zone_id
--   zone_name         = dim_zone.zone_name
--   kind              = dim_kind.kind
--   item_id           = dim_item.item_id
--   item_name         = dim_item.item_name
--   artist_id         = dim_artist.artist_id
--   artist_name       = dim_artist.artist_name
--   duration_secs     = fact_play.duration_secs
--   is_complete       = fact_play.is_complete
--   played_at         = fact_play.played_at

select
    f.played_at_local,
    f.zone_id,
    z.zone_name,
    f.kind,
    i.item_id,
    i.item_name,
    f.artist_id,
    a.artist_name,
    f.duration_secs,
    f.is_complete,
    f.played_at
from p
inner join fact_play as f on f.date between p.date_from and p.date_to
inner join zone_slot as z on z.zone_id = f.zone_id and f.date between z.slot_from and z.slot_to
inner join chosen_item as i on i.item_key = f.item_key
left join item_slot as t on t.item_key = f.item_key and f.date between t.slot_from and t.slot_to
left join campaign_item_day as c on c.zone_id = f.zone_id and c.date = f.date and c.item_key = f.item_key
left join dim_artist as a on a.artist_id = f.artist_id
where
    (p.artist_ids = '' or position(',' || cast(f.artist_id as varchar) || ',' in p.artist_ids) > 0)
    and (p.kinds = '' or position(',' || f.kind || ',' in p.kinds) > 0)
    and ('item' not in (p.slot_1_of, p.slot_2_of, p.slot_3_of) or t.item_key is not null)
    and (p.campaign_keys = '' or c.item_key is not null)
