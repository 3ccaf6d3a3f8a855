-- The version that is being built, or was built last.
--
-- Grain: one row
-- Reads: core.version
-- Built: view
-- Columns:
--   version            E.g. v000007.
--   built_at           When its build began.
--   software_version   Of the program that built it.

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
