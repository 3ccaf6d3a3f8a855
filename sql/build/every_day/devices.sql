-- Every day on which a device can have a state.
select
    '' as kind,
    date
from core.zone_day
union
select kind, date from core.unpublished_device_day
