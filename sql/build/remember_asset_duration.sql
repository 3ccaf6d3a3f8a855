-- The lengths by which plays are measured from here on.
delete from core.built_item_duration;

insert into core.built_item_duration (item_key, duration_secs)
select
    item_key,
    duration_secs
from staging.asset_newest
where duration_secs is not null;
