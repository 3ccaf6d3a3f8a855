-- One row per part of the day in reference/dayparts.csv.
--
-- Grain: daypart
-- Reads: core.daypart
-- Built: whole
-- Columns:
--   daypart     Daypart (text): Name of the part of the day.
--   from_secs   From (seconds): Start in seconds since midnight by the zone's clock, inclusive.
--   to_secs     To (seconds): End in seconds since the same midnight, exclusive; more than 86,400 is on the next day.

select
    name as daypart,
    cast(from_secs as bigint) as from_secs,
    cast(to_secs as bigint) as to_secs
from core.daypart
