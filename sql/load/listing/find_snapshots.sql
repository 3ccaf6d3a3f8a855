-- The ledger's rows of landings that were loaded. The parameter is a JSON array of their ids.
-- Reads: core.snapshot
-- Makes: nothing
select
    landing_id as "landingId",
    snapshot_id as "snapshotId",
    records,
    rejected
from core.snapshot
where landing_id in (select unnest(from_json(cast(? as varchar), '["varchar"]')))
