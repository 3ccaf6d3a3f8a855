-- One row with the version that is being built, or was built last.
--
-- Grain: one row
-- Reads: core.version
-- Built: view
-- Columns:
--   version            E.g. v000007.
--   built_at           Start of its build.
--   software_version   Version of the program that built it.

with ranked as (
    select
        version,
        built_at,
        software_version,
        row_number() over (order by version desc) as newest
    from core.version
)

select
    version,
    built_at,
    software_version
from ranked
where newest = 1
