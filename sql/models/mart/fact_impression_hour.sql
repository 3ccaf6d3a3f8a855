-- One row per zone, asset, local day and hour with plays at times with footfall (reference/footfall.csv).
--
-- Grain: kind, zone_id, item_key, date, play_hour
-- Reads: mart.dim_footfall, mart.fact_play
-- Built: day
-- Published: by month, ordered by zone_id, date, play_hour, item_key
-- Columns:
--   kind            = dim_kind.kind
--   zone_id         = fact_play.zone_id
--   item_key        = fact_play.item_key
--   date            = fact_play_day.date
--   play_hour       = fact_play.play_hour
--   covered_plays   Covered plays (count): Plays of signage and messages that began at a time with footfall.
--   impressions     Impressions (number): People near during each covered play, added up. Note: People per hour ×
--                   dwell seconds ÷ 3,600, or people per play as given.

select
    p.kind,
    p.zone_id,
    p.item_key,
    p.date,
    p.play_hour,
    count(*) as covered_plays,
    -- In 3,600,000ths, because a sum of integers does not depend on their order.
    cast(cast(sum(k.people) as bigint) as double) / 3600000 as impressions
from mart.fact_play as p
inner join mart.dim_footfall as k
    on k.zone_id = p.zone_id
    and k.day_of_week = date_diff('day', cast(date_trunc('week', p.date) as date), cast(p.date as date)) + 1
    and (p.play_hour * 60 + minute(p.played_at_local)) * 60 >= k.from_secs
    and (p.play_hour * 60 + minute(p.played_at_local)) * 60 < k.to_secs
    and p.date between k.valid_from and k.valid_to
where p.kind <> 'music'
group by p.kind, p.zone_id, p.item_key, p.date, p.play_hour
