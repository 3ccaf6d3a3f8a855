-- Loads of history with their line counts by outcome, newest first.
--
-- For: loads
-- Reads: chosen_load
-- Columns:
--   load_id        = fact_load.load_id
--   source         = fact_load.source
--   kind           = dim_kind.kind
--   group_id       = dim_group.group_id
--   zone_id        = dim_zone.zone_id
--   requested_at   = fact_load.requested_at
--   loaded_at      = fact_load.loaded_at
--   lines          = fact_load.lines
--   rejected       = fact_load.rejected
--   new_plays      = fact_load.new_plays
--   changed        = fact_load.changed
--   unchanged      = fact_load.unchanged
--   duplicate      = fact_load.duplicate
--   blank          = fact_load.blank
--   zero_second    = fact_load.zero_second
--   vanished       = fact_load.vanished
--   bytes          = fact_load.bytes

select
    l.load_id,
    l.source,
    l.kind,
    l.group_id,
    l.zone_id,
    l.requested_at,
    l.loaded_at,
    l.lines,
    l.rejected,
    l.new_plays,
    l.changed,
    l.unchanged,
    l.duplicate,
    l.blank,
    l.zero_second,
    l.vanished,
    l.bytes
from chosen_load as l
order by l.load_id desc
