-- The lines of history that could not become a play, newest load first.
--
-- For: rejects
-- Reads: fact_load, fact_reject, p
-- Columns:
--   load_id       = fact_load.load_id
--   line_number   = fact_reject.line_number
--   kind          = dim_kind.kind
--   reason        = fact_reject.reason
--   line          = fact_reject.line

select
    r.load_id,
    r.line_number,
    l.kind,
    r.reason,
    r.line
from p
cross join fact_reject as r
inner join fact_load as l on l.load_id = r.load_id
where
    (p.kinds = '' or position(',' || l.kind || ',' in p.kinds) > 0)
    and (p.load_ids = '' or position(',' || cast(r.load_id as varchar) || ',' in p.load_ids) > 0)
order by r.load_id desc, r.line_number
