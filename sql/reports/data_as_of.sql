-- Freshness of plays: of the newest complete responses for each requested group and kind, the oldest.
--
-- For: plays, compliance, uptime, devices
-- Reads: fact_freshness, p
-- Columns:
--   data_as_of   Data as of (instant): The oldest, over everything that this page reads, of the newest complete
--                request to the service.

select min(f.requested_at) as data_as_of
from p
inner join fact_freshness as f
    on (p.group_ids = '' or f.group_id is null or position(',' || cast(f.group_id as varchar) || ',' in p.group_ids) > 0)
    and (p.kinds = '' or position(',' || f.kind || ',' in p.kinds) > 0)
