-- One row per field that the service sends and its documentation does not name, of each kind of answer.
--
-- Grain: source, kind, field
-- Reads: core.unknown_field
-- Built: whole
-- Columns:
--   source          Source (text): history, devices, campaigns, assets, notices or components.
--   kind            = dim_kind.kind: music, signage or messaging; null where the source has no kind.
--   field           Field (text): Name of the field; a field within another one as outer.inner.
--   answers         Answers (count): Loads and snapshots that held it.
--   records         Records (count): Records that held it, over these answers; of long files of history one line in 500
--                   is looked at.
--   first_seen_at   First seen (instant): Instant (UTC) at which the first of these answers was asked for.
--   last_seen_at    Last seen (instant): Instant (UTC) at which the last of them was asked for.

select
    source,
    nullif(kind, '') as kind,
    field,
    answers,
    records,
    first_seen_at,
    last_seen_at
from core.unknown_field
