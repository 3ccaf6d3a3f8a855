-- Fewer than one line in a hundred was rejected in the latest load of each source.
-- Severity: warn

with ranked as (
    select
        load_id,
        source,
        kind,
        group_id,
        zone_id,
        lines,
        rejected,
        row_number() over (partition by source, kind, group_id, zone_id order by requested_at desc, load_id desc) as newest
    from mart.fact_load
)

select
    load_id,
    source,
    kind,
    group_id,
    zone_id,
    lines,
    rejected
from ranked
where newest = 1 and rejected * 100 >= lines and rejected > 0
