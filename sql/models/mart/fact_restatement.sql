-- One row per version, kind and settled local day whose plays or compliance states differ from the previous version's.
-- Excludes days that were not settled in the previous version.
--
-- Grain: version, kind, date
-- Reads: core.restatement
-- Built: whole
-- Columns:
--   version          Version (text): The version with the new figures.
--   kind             = dim_kind.kind
--   date             = dim_date.date: The local day.
--   plays_before     Plays before (count): Plays in the previous version.
--   plays_after      Plays after (count): Plays in this version; the same number if only seconds or states changed.
--   states_changed   States changed (count): Campaign days whose settled state changed.

select
    version,
    kind,
    date,
    plays_before,
    plays_after,
    states_changed
from core.restatement
