-- Date-times of devices that are the epoch, as the clock of any time zone writes it, are unknown; until now such a device
-- counted as down since 1970.
insert into core.dirty_device_day
select distinct
    '' as kind,
    cast(requested_at as date) as date
from core.device_snapshot
where last_online_at <= timestamp '1970-01-02 02:00:00'
except
select *
from core.dirty_device_day;

update core.device_snapshot
set
    last_online_at = case when last_online_at > timestamp '1970-01-02 02:00:00' then last_online_at end,
    last_play_at = case when last_play_at > timestamp '1970-01-02 02:00:00' then last_play_at end,
    last_sd_error_at = case when last_sd_error_at > timestamp '1970-01-02 02:00:00' then last_sd_error_at end
where least(last_online_at, last_play_at, last_sd_error_at) <= timestamp '1970-01-02 02:00:00';
