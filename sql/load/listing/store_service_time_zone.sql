-- The service's time zone, as it is now.
-- Reads: $service_time_zone
-- Makes: core.service_time_zone
delete from core.service_time_zone;

insert into core.service_time_zone
select getvariable('service_time_zone') as time_zone
