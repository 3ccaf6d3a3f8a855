-- One row per load: a file of history that became plays.
-- lines = new_plays + changed + unchanged + duplicate + rejected + blank.
--
-- Grain: load_id
-- Reads: core.load
-- Built: whole
-- Columns:
--   load_id        Number of the load, in their order.
--   source         export, walk or file.
--   kind           music, signage or messaging (dim_kind).
--   group_id       Group that was asked for (dim_group); null for a walk of a zone and for files.
--   zone_id        Zone that was walked (dim_zone); null for others.
--   requested_at   Instant at which the service was asked, in UTC.
--   loaded_at      Instant at which it was loaded, in UTC.
--   bytes          Size of the file.
--   lines          Lines in the file.
--   new_plays      Lines that brought a record we did not have.
--   changed        Lines that changed one, e.g. a play seen while it still ran.
--   unchanged      Lines that we had, just so.
--   duplicate      Lines that repeat another line of the same file.
--   rejected       Lines that could not become a record (fact_reject).
--   blank          Lines with nothing on them.
--   zero_second    Records of zero seconds: kept, but not plays.
--   vanished       Plays that we hold and the file should hold, but lacks: kept, and counted as plays.

select
    load_id,
    source,
    kind,
    group_id,
    zone_id,
    requested_at,
    loaded_at,
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
from core.load
