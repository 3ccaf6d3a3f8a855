-- One row with the total of all single plays.
--
-- For: single-plays
-- Reads: campaign_item_day, chosen_item, fact_play_day, item_slot, p, zone_slot
-- Columns:
--   plays          = fact_play_day.plays
--   play_seconds   = fact_play_day.play_seconds
--   zones          Zones (count): Number of different zones that played.
--   items          = fact_play_zone_day.items

select
    cast(coalesce(sum(f.plays), 0) as bigint) as plays,
    cast(coalesce(sum(f.play_seconds), 0) as bigint) as play_seconds,
    count(distinct f.zone_id) as zones,
    count(distinct f.item_key) as items
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
