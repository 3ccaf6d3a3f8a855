-- The data is at most 36 hours old.
-- Severity: warn

select
    version,
    built_at,
    data_as_of
from mart.mart_info
where built_at > cast(data_as_of + interval '36' hour as timestamp(6))
