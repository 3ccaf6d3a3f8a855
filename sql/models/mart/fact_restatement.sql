-- One row per version, kind and settled local day whose plays, or states of compliance, differ from those that the
-- version before had published. A day that was not settled there is left out: it was still filling up.
--
-- Grain: version, kind, date
-- Reads: core.restatement
-- Built: whole
-- Columns:
--   version          = mart_info.version: The version that says something new about the day.
--   kind             = dim_kind.kind
--   date             = dim_date.date: The local day.
--   plays_before     Plays before (count): Plays by the version before.
--   plays_after      Plays after (count): Plays by this version; equal where only seconds or states changed.
--   states_changed   States changed (count): Cells of compliance whose settled state changed.

select
    version,
    kind,
    date,
    plays_before,
    plays_after,
    states_changed
from core.restatement
