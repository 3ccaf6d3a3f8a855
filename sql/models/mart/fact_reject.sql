-- One row per line of history that could not become a record: the line and the reason.
--
-- Grain: load_id, line_number
-- Reads: core.reject
-- Built: whole
-- Columns:
--   load_id       = fact_load.load_id: The load.
--   line_number   Line number (ordinal): Position in the loaded file, from 1.
--   reason        Reason (text): Why the line was rejected. Note: One of invalid_json, not_an_object, missing_field,
--                 wrong_type, invalid_timestamp, no_utc_offset, timestamp_out_of_range (before 2000, or over 24 h after
--                 the request), id_out_of_range (outside 0 to 2251799813685247), duration_out_of_range (outside 0 to
--                 2678400 s), invalid_utf8 or line_too_long (over 1 MiB).
--   line          Line (text): First 1,000 characters of the line.

select
    load_id,
    line_number,
    reason,
    line
from core.reject
