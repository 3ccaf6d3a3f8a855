-- One row per load on any machine. No load exists on more than one machine.
--
-- Reads: lake.load

select
    load_id,
    landing_id,
    source,
    kind,
    group_id,
    zone_id,
    requested_at,
    loaded_at,
    is_complete,
    bytes,
    lines,
    new_plays,
    changed,
    unchanged,
    duplicate,
    rejected,
    blank,
    zero_second,
    vanished
from lake.load
