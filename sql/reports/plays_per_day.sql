-- How many plays began on each local date: one row per date on which anything played, in order of time.
--
-- For: plays
-- Reads: chosen_zone, fact_play_zone_day, p
-- Columns:
--   date    = fact_play_day.date
--   plays   = fact_play_day.plays

select
    f.date,
    cast(sum(f.plays) as bigint) as plays
from p
cross join fact_play_zone_day as f
inner join chosen_zone as z on z.zone_id = f.zone_id
where
    f.date between p.date_from and p.date_to
    and (p.kinds = '' or position(',' || f.kind || ',' in p.kinds) > 0)
group by f.date
order by f.date
