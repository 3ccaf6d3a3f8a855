-- mart_info has exactly one row.
-- Severity: error

with info as (
    select count(*) as rows_found
    from mart.mart_info
)

select
    rows_found
from info
where rows_found <> 1
