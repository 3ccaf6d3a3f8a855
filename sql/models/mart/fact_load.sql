-- One row per load: a file of history that became plays.
-- lines = new_plays + changed + unchanged + duplicate + rejected + blank.
--
-- Grain: load_id
-- Reads: core.load
-- Built: whole
-- Columns:
--   load_id        Load (id): Number of the load, in their order.
--   source         Source (text): export, walk or file.
--   kind           = dim_kind.kind
--   group_id       = dim_group.group_id: Group that was asked for; null for a walk of a zone and for files.
--   zone_id        = dim_zone.zone_id: Zone that was walked; null for others.
--   requested_at   Requested (instant): Instant at which the service was asked, in UTC.
--   loaded_at      Loaded (instant): Instant at which it was loaded, in UTC.
--   bytes          Size (bytes): Size of the file.
--   lines          Lines (count): Lines of the file. Note: Each is accounted for: new, changed, unchanged, duplicate,
--                  rejected or blank.
--   new_plays      New (count): Lines that brought a record we did not have.
--   changed        Changed (count): Lines that changed one, e.g. a play seen while it still ran.
--   unchanged      Unchanged (count): Lines that we had, just so.
--   duplicate      Duplicates (count): Lines that repeat a play: counted once.
--   rejected       Rejected (count): Lines that could not become a play, each kept with its reason.
--   blank          Blank (count): Lines with nothing on them.
--   zero_second    Zero seconds (count): Records of zero seconds: kept, but not plays.
--   vanished       Vanished (count): Plays that the newest complete export should hold but does not: kept, and counted.

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
