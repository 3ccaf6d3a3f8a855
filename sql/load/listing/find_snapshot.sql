select
    snapshot_id as "snapshotId",
    records,
    rejected
from core.snapshot
where landing_id = ?
