-- One row per source, kind and field that the service sends but does not document.
--
-- Grain: source, kind, field
-- Reads: core.unknown_field
-- Built: whole
-- Columns:
--   source          Source (text): history, devices, campaigns, assets, notices or components.
--   kind            = dim_kind.kind: music, signage or messaging; null for sources without a kind.
--   field           Field (text): Name of the field; a nested field as outer.inner.
--   answers         Responses (count): Loads and snapshots that contain it.
--   records         Records (count): Records that contain it, over these responses. Note: Long history files are
--                   sampled: one line in 500.
--   first_seen_at   First seen (instant): Request time of the first of these responses, in UTC.
--   last_seen_at    Last seen (instant): Request time of the last of these responses, in UTC.

select
    source,
    nullif(kind, '') as kind,
    field,
    answers,
    records,
    first_seen_at,
    last_seen_at
from core.unknown_field
