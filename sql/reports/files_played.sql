-- Date range of history that was loaded only from files, for which no request time is known.
--
-- For: plays, compliance
-- Reads: fact_freshness, fact_play_zone_day, p
-- Columns:
--   first_play_date   = dim_zone.first_play_date: Local date of the first play of these kinds.
--   last_play_date    = dim_zone.last_play_date: Local date of the last one.

select
    min(d.date) as first_play_date,
    max(d.date) as last_play_date
from p
cross join fact_freshness as f
inner join fact_play_zone_day as d on d.kind = f.kind
where
    f.source = 'file'
    and (p.kinds = '' or position(',' || f.kind || ',' in p.kinds) > 0)
