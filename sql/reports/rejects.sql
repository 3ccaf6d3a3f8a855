-- Lines of history that could not become a play, newest load first. A line belongs to the zone that it names; otherwise
-- to the zone that was walked; a line of an export that names no zone belongs to none.
--
-- For: rejects
-- Reads: chosen_load, chosen_zone, fact_reject, p
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
inner join chosen_load as l on l.load_id = r.load_id
where
    (p.zone_ids = '' and p.location_ids = '')
    or coalesce(try_cast(regexp_extract(r.line, '"zone_id"\s*:[\s"]*(\d+)', 1) as bigint), l.zone_id)
    in (select zone_id from chosen_zone)
order by r.load_id desc, r.line_number
