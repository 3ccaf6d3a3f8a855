-- The newest request says how far days go.
-- Reads: core.load, core.snapshot
-- Makes: $horizon_at
set variable horizon_at = (
    select max(requested_at)
    from (
        select max(requested_at) as requested_at
        from core.load
        union all
        select max(requested_at) as requested_at
        from core.snapshot
    )
);
