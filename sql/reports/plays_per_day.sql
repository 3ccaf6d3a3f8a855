-- One row per local date with plays, in time order: the number of plays begun.
--
-- For: plays
-- Reads: chosen_zone, fact_play_zone_day, p
-- Columns:
--   date    = fact_play_day.date
--   plays   = fact_play_day.plays
--   songs   Songs (count): Plays of songs, which can be short.

select
    f.date,
    cast(sum(f.plays) as bigint) as plays,
    cast(sum(case when f.kind = 'music' then f.plays else 0 end) as bigint) as songs
from p
cross join fact_play_zone_day as f
inner join chosen_zone as z on z.zone_id = f.zone_id
where
    f.date between p.date_from and p.date_to
    and (p.kinds = '' or position(',' || f.kind || ',' in p.kinds) > 0)
group by f.date
order by f.date
