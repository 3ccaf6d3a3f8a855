-- One row per load of a history file: its source, and the number of its lines by outcome. lines = new_plays + changed +
-- unchanged + duplicate + rejected + blank.
--
-- Grain: load_id
-- Reads: core.load
-- Built: whole
-- Columns:
--   load_id        Load (id): Number of the load, in loading order.
--   source         Source (text): export, walk or file.
--   kind           = dim_kind.kind
--   group_id       = dim_group.group_id: Group that was requested; null for walks and files.
--   zone_id        = dim_zone.zone_id: Zone that was walked; null otherwise.
--   requested_at   Requested (instant): Instant of the request to the service, in UTC.
--   loaded_at      Loaded (instant): Instant at which it was loaded, in UTC.
--   bytes          Size (bytes): Size of the file.
--   lines          Lines (count): Lines of the file. Note: Each is accounted for: new, changed, unchanged, duplicate,
--                  rejected or blank.
--   new_plays      New (count): Lines with a record that was not known yet.
--   changed        Changed (count): Lines that changed a known record, e.g. a play first seen while it was running.
--   unchanged      Unchanged (count): Lines that match a known record exactly.
--   duplicate      Duplicates (count): Lines that repeat a play; they are not counted again.
--   rejected       Rejected (count): Lines that could not become a play, each kept with its reason.
--   blank          Blank (count): Lines without content.
--   zero_second    Zero seconds (count): Records of zero seconds: kept, but not counted as plays.
--   vanished       Vanished (count): Plays missing from the latest complete export that should contain them: kept and
--                  counted.

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
