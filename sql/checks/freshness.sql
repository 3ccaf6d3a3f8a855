-- The data is no older than 36 hours.
-- Severity: warn

select
    version,
    built_at,
    data_as_of
from mart.mart_info
where built_at > cast(data_as_of + interval '36' hour as timestamp(6))
