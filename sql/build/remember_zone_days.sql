-- What cells of compliance are built from, besides listings and plays.
delete from core.built_zone_day;

insert into core.built_zone_day
select
    zone_id,
    date,
    start_at,
    end_at,
    has_plays,
    is_closed,
    is_up,
    is_down
from staging.zone_day_state;

delete from core.built_zone_listing;

insert into core.built_zone_listing
select
    kind,
    zone_id,
    owner_kind,
    owner_id,
    settled_until
from mart.bridge_zone_listing;

delete from core.built_zone_hours;

insert into core.built_zone_hours
select
    zone_id,
    date,
    opens_secs,
    closes_secs
from mart.fact_zone_hours;

delete from core.built_setting;

insert into core.built_setting
select
    name,
    value
from core.build_setting;
