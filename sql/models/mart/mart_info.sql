-- One row: which version this is, and how fresh.
--
-- Grain: version
-- Reads: core.build_setting, staging.freshness, staging.version_built
-- Built: whole
-- Columns:
--   version            Version (text): E.g. v000007; later versions sort after earlier ones.
--   built_at           Built (instant): Instant at which it was built, in UTC.
--   data_as_of         Data as of (instant): The oldest, over groups and kinds (fact_freshness), of the newest complete
--                      answer (UTC): what the service had of them before it is here.
--   software_version   Software (text): Version of the program that built it.
--   slot_minutes       Slot (minutes): A play within so many minutes meets a time that a campaign's rule names.

select
    v.version,
    v.built_at,
    f.data_as_of,
    v.software_version,
    s.slot_minutes
from staging.version_built as v
cross join staging.freshness as f
cross join (
    select coalesce(max(cast(value as integer)), 60) as slot_minutes
    from core.build_setting
    where name = 'slot_minutes'
) as s
