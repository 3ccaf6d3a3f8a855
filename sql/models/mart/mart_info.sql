-- One row: which version this is, and how fresh.
--
-- Grain: version
-- Reads: staging.freshness, staging.version_built
-- Built: whole
-- Columns:
--   version            Version (text): E.g. v000007; later versions sort after earlier ones.
--   built_at           Built (instant): Instant at which it was built, in UTC.
--   data_as_of         Data as of (instant): The oldest, over groups and kinds (fact_freshness), of the newest complete
--                      answer (UTC): what the service had of them before it is here.
--   software_version   Software (text): Version of the program that built it.

select
    v.version,
    v.built_at,
    f.data_as_of,
    v.software_version
from staging.version_built as v
cross join staging.freshness as f
