-- Records the inputs of a build, so that the next build can find days with changed inputs.

-- Plays depend on asset durations.
delete from core.built_item_duration;

insert into core.built_item_duration (item_key, duration_secs)
select
    item_key,
    duration_secs
from staging.asset_newest
where duration_secs is not null;

-- Campaign days depend on settings and on zone days with their listings, opening hours, kinds and footfall.
delete from core.built_zone_day;

insert into core.built_zone_day (
    zone_id, date, start_at, end_at, has_plays, is_closed, is_closed_by_hours, is_up, is_down
)
select
    zone_id,
    date,
    start_at,
    end_at,
    has_plays,
    is_closed,
    is_closed_by_hours,
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

delete from core.built_zone_kind;

insert into core.built_zone_kind
select
    zone_id,
    kind,
    valid_from,
    valid_to
from core.zone_kind;

delete from core.built_rule_ended_day;

insert into core.built_rule_ended_day
select
    rule_id,
    zone_id,
    date,
    until_secs
from mart.fact_rule_ended_day;

delete from core.built_footfall;

insert into core.built_footfall
select
    zone_id,
    day_of_week,
    from_secs,
    to_secs,
    people,
    valid_from,
    valid_to
from mart.dim_footfall;

delete from core.built_setting;

insert into core.built_setting
select
    name,
    value
from core.build_setting;

-- Device days depend on device states, openings, maintenance and data freshness.
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
