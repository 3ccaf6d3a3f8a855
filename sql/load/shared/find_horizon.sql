-- The newest request says how far days go.
-- Reads: core.load, core.snapshot
-- Makes: $horizon_at
set variable horizon_at = greatest(
    (select max(requested_at) from core.load),
    (select max(requested_at) from core.snapshot)
);
