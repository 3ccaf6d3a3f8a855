-- One row with the version and its freshness.
--
-- Grain: version
-- Reads: core.build_setting, staging.freshness, staging.version_built
-- Built: whole
-- Columns:
--   version            Version (text): Name of the version, e.g. v000007; later versions sort after earlier ones.
--   built_at           Built (instant): Instant of the build, in UTC.
--   data_as_of         Data as of (instant): The oldest of the latest complete responses (UTC), one per group and kind
--                      (fact_freshness): all history that the service had by then is loaded.
--   software_version   Software (text): Version of the program that built it.
--   slot_minutes       Slot (minutes): Maximum time between a due time and the play that meets it.

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
