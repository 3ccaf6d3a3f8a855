-- The latest load of each source contains all plays of earlier loads.
-- Severity: warn

with ranked as (
    select
        load_id,
        source,
        kind,
        group_id,
        zone_id,
        vanished,
        row_number() over (partition by source, kind, group_id, zone_id order by requested_at desc, load_id desc) as newest
    from mart.fact_load
)

select
    load_id,
    source,
    kind,
    group_id,
    zone_id,
    vanished
from ranked
where newest = 1 and vanished > 0
