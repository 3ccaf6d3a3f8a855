-- The data is no older than 36 hours.
-- Severity: warn

select
    version,
    built_at,
    data_as_of
from mart.mart_info
where date_diff('second', data_as_of, built_at) > 36 * 3600
