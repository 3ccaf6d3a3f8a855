-- What days of devices are built from, as of now.
delete from core.built_device_run;

insert into core.built_device_run
select
    device_id,
    zone_id,
    state,
    from_at,
    until_at
from staging.device_run;

delete from core.built_zone_opening;

insert into core.built_zone_opening
select
    zone_id,
    date,
    opens_at,
    closes_at
from staging.zone_opening;

delete from core.built_planned_span;

insert into core.built_planned_span
select
    from_at,
    until_at
from staging.planned_span;

delete from core.built_freshness;

insert into core.built_freshness
select data_as_of
from staging.freshness;
