-- A row where the service's time zone is another than before.
-- Reads: $service_time_zone, core.service_time_zone
-- Makes: nothing
select 1
from core.service_time_zone
having coalesce(max(time_zone), 'UTC') is distinct from getvariable('service_time_zone')
