-- One row per local date with plays, in chronological order: the number of plays that began.
--
-- For: plays
-- Reads: fact_play_day, fact_play_zone_day, item_slot, p, zone_slot
-- Columns:
--   date    = fact_play_day.date
--   plays   = fact_play_day.plays
--   songs   Songs (count): Plays of songs, which can be short.

with played as (
    select
        f.date,
        f.kind,
        f.zone_id,
        f.plays
    from p
    inner join fact_play_zone_day as f on f.date between p.date_from and p.date_to
    where 'item' not in (p.slot_1_of, p.slot_2_of, p.slot_3_of)
    union all
    select
        f.date,
        f.kind,
        f.zone_id,
        f.plays
    from p
    inner join fact_play_day as f on f.date between p.date_from and p.date_to
    inner join item_slot as t on t.item_key = f.item_key and f.date between t.slot_from and t.slot_to
    where 'item' in (p.slot_1_of, p.slot_2_of, p.slot_3_of)
)

select
    f.date,
    cast(sum(f.plays) as bigint) as plays,
    cast(sum(case when f.kind = 'music' then f.plays else 0 end) as bigint) as songs
from p
cross join played as f
inner join zone_slot as z on z.zone_id = f.zone_id and f.date between z.slot_from and z.slot_to
where p.kinds = '' or position(',' || f.kind || ',' in p.kinds) > 0
group by f.date
order by f.date
