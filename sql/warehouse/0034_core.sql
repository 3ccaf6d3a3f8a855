-- The warehouse has three schemas: core (what was loaded), staging and mart (what models make of it). This file has
-- what is loaded.
-- Instants are naive UTC timestamps, local times are plain, dates are DATE. No keys are declared, because DuckDB would
-- maintain an index for each, which costs more than the checks that prove them.
create schema core;
create schema staging;
create schema mart;

create sequence core.load_id start 1;

-- The ledger: one row per loaded history landing. lines = new_plays + changed + unchanged + duplicate + rejected + blank.
create table core.load (
    load_id bigint not null,
    landing_id varchar not null, -- no landing is loaded twice
    source varchar not null, -- export, walk or file
    kind varchar not null,
    group_id bigint,
    zone_id bigint,
    requested_at timestamp not null,
    loaded_at timestamp not null,
    is_complete boolean not null, -- contains all that the service had for its group (or zone) and kind
    bytes bigint not null,
    lines bigint not null,
    new_plays bigint not null,
    changed bigint not null,
    unchanged bigint not null,
    duplicate bigint not null,
    rejected bigint not null,
    blank bigint not null,
    zero_second bigint not null,
    vanished bigint not null
);

create table core.reject (
    load_id bigint not null,
    line_number bigint not null, -- in the landing, from 1
    reason varchar not null,
    line varchar not null -- its first 1,000 characters
);

-- One row per (kind, zone_id, played_at, item_id).
create table core.play (
    -- Text takes a tenth longer to store in a first load. The type is unnamed, because DuckDB cannot replay a named one
    -- from its log in a schema other than main.
    kind enum ('messaging', 'music', 'signage') not null,
    zone_id bigint not null,
    item_id bigint not null,
    played_at timestamp not null,
    played_at_local timestamp not null,
    utc_offset_minutes smallint not null, -- in force: from the zone's named time zone, else as written
    written_offset_minutes smallint not null, -- as written in the line
    date date not null, -- of played_at_local
    duration_secs integer not null,
    location_id bigint,
    artist_id bigint,
    first_load_id bigint not null,
    last_load_id bigint not null, -- the load that changed it last
    piece_id bigint
);

create sequence core.piece_id start 1;

create table core.piece (
    piece_id bigint not null,
    kind varchar not null,
    sha256 varchar not null,
    bytes bigint not null,
    lines bigint not null,
    blank bigint not null,
    rejected bigint not null,
    records bigint not null,
    repeats bigint not null,
    zero_second bigint not null,
    last_played_at timestamp,
    ahead_at timestamp,
    read_by varchar not null
);

create table core.piece_link (
    piece_id bigint not null,
    shown_by bigint not null
);

create table core.piece_reject (
    piece_id bigint not null,
    line_number bigint not null,
    reason varchar not null,
    line varchar not null
);

-- Every name that a zone, location, item or artist has had, from histories and listings.
create table core.name_span (
    subject varchar not null, -- zone, location, item or artist
    kind varchar not null, -- of an item; '' for the others
    id bigint not null,
    name varchar not null,
    first_at timestamp not null,
    last_at timestamp not null
);

create table core.zone_location_span (
    zone_id bigint not null,
    location_id bigint not null,
    first_at timestamp not null,
    last_at timestamp not null
);

-- When a zone was last seen in a group, per source that names both.
create table core.zone_group_sighting (
    zone_id bigint not null,
    group_id bigint not null,
    source varchar not null, -- devices or export
    kind varchar not null, -- of an export; '' for devices
    last_seen_at timestamp not null -- requested_at of the response
);

create table core.configured_group (
    group_id bigint not null
);

-- The newest address of each location.
create table core.location (
    location_id bigint not null,
    street varchar,
    city varchar,
    state varchar,
    zip varchar,
    latitude double,
    longitude double,
    seen_at timestamp not null
);

-- The analyst's files, as last applied.
create table core.reference_file (
    name varchar not null,
    sha256 varchar not null,
    applied_at timestamp not null
);

create table core.zone_time_zone (
    zone_id bigint not null,
    time_zone varchar not null
);

create table core.group_name (
    group_id bigint not null,
    group_name varchar not null
);

create table core.calendar as
select
    day::date as date,
    year(day)::integer as year,
    quarter(day)::integer as quarter,
    strftime(day, '%Y-%m') as month,
    isoyear(day)::integer as iso_year,
    weekofyear(day)::integer as iso_week,
    isodow(day)::integer as day_of_week
from generate_series(timestamp '1999-12-31', timestamp '2099-12-31', interval 1 day) as days (day);

-- A zone's local days, from its first to its last play, with their start and end in UTC.
create table core.zone_day (
    zone_id bigint not null,
    date date not null,
    start_at timestamp not null,
    end_at timestamp not null -- exclusive
);

-- Fields that the service sends but its documentation does not name, over all responses of a source and kind.
create table core.unknown_field (
    source varchar not null, -- history, devices, campaigns, assets, notices or components
    kind varchar not null, -- '' where the source has none
    field varchar not null, -- a nested field as outer.inner
    answers bigint not null, -- loads and snapshots that contained it
    records bigint not null, -- of those examined, over these responses
    first_seen_at timestamp not null, -- requested_at of the first of them
    last_seen_at timestamp not null
);

-- Listings of devices, campaigns and assets, and what the status API reports.

create sequence core.snapshot_id start 1;

-- The ledger of snapshots: one row per loaded listing of a group or zone.
create table core.snapshot (
    snapshot_id bigint not null,
    landing_id varchar not null,
    source varchar not null, -- devices or assets
    kind varchar not null, -- signage or messaging; '' for devices
    group_id bigint,
    requested_at timestamp not null,
    loaded_at timestamp not null,
    records bigint not null,
    rejected bigint not null,
    zone_id bigint
);

create table core.device_snapshot (
    snapshot_id bigint not null,
    group_id bigint not null,
    requested_at timestamp not null,
    device_id bigint not null,
    zone_id bigint not null,
    location_id bigint,
    status varchar,
    platform varchar,
    model varchar,
    firmware varchar,
    version varchar,
    ip_address varchar,
    mac_address varchar,
    bandwidth_kbps double,
    storage_used_mb double,
    storage_total_mb double,
    last_online_at timestamp,
    last_online_ago bigint,
    last_play_at timestamp,
    last_sd_error varchar,
    last_sd_error_at timestamp,
    max_gap_seconds bigint -- after a longer gap, the state is not taken to have lasted until the next snapshot
);

-- One row per owner, kind and asset (per record if a listing repeats one), from the owner's newest listing.
create table core.asset_snapshot (
    snapshot_id bigint not null,
    kind varchar not null,
    group_id bigint,
    requested_at timestamp not null,
    asset_id bigint not null,
    asset_name varchar,
    duration double, -- in the service's unit, which it does not document
    add_date date,
    start_date date,
    end_date date,
    zone_id bigint
);

-- One row per listing of an owner's campaigns. For two of the same instant: the one loaded last.
create table core.campaign_listing (
    kind varchar not null, -- signage or messaging
    owner_kind varchar not null, -- group or zone
    owner_id bigint not null,
    requested_at timestamp not null,
    campaigns bigint not null,
    is_valid boolean not null, -- false for an empty one after one with campaigns, unless the next one is empty too
    previous_at timestamp -- of the previous valid one
);

-- Maximal runs of an owner's listings, valid or not, that contained the same record.
create table core.listing_run (
    kind varchar not null,
    owner_kind varchar not null,
    owner_id bigint not null,
    subject varchar not null, -- campaign, or asset for its link to a campaign
    record varchar not null, -- JSON
    first_at timestamp not null,
    last_at timestamp not null
);

-- Maximal runs of an owner's valid listings with equal values for a campaign. Made from listing_run.
create table core.listing_span (
    kind varchar not null,
    owner_kind varchar not null,
    owner_id bigint not null,
    campaign_id bigint not null,
    rule_id bigint, -- null: no rule
    campaign_name varchar,
    status varchar,
    is_enabled boolean not null,
    add_date date,
    start_date date, -- null: open
    end_date date,
    rrule varchar,
    record_error varchar, -- an invalid date
    from_at timestamp not null, -- 1970-01-01 for values of the owner's first listing
    until_at timestamp, -- requested_at of the next valid listing; null: still current
    seen_from_at timestamp not null,
    last_seen_at timestamp not null
);

-- The same for assets that are linked to campaigns.
create table core.listing_asset_span (
    kind varchar not null,
    owner_kind varchar not null,
    owner_id bigint not null,
    campaign_id bigint not null,
    asset_id bigint not null,
    start_date date, -- null: open
    end_date date,
    from_at timestamp not null,
    until_at timestamp,
    seen_from_at timestamp not null,
    last_seen_at timestamp not null
);

-- The newest values of an asset in a listing of campaigns.
create table core.linked_asset (
    kind varchar not null,
    asset_id bigint not null,
    duration double, -- in the service's unit, which it does not document
    start_date date,
    end_date date,
    seen_at timestamp not null,
    owner_kind varchar not null,
    owner_id bigint not null
);

create sequence core.rule_id start 1;

-- Every rule, with the dates from which it counts.
create table core.campaign_rule (
    rule_id bigint not null,
    rrule varchar not null,
    start_date date,
    add_date date,
    rule_error varchar, -- why it cannot be read
    is_every_day boolean not null,
    expanded_from date not null, -- campaign_date has its dates from here to expanded_to
    expanded_to date not null,
    expanded_by varchar, -- version of the expansion; null: before there were versions
    until_at timestamp -- of an UNTIL that is an instant, so that the last days depend on each zone's clock
);

-- Dates on which a rule has an occurrence.
create table core.campaign_date (
    rule_id bigint not null,
    date date not null,
    first_secs integer -- local second of the day of the first occurrence; null: UNTIL is not near, every zone has the date
);

-- The local time at which a zone reaches a rule's UNTIL on a day on which its clock changes.
create table core.zone_until (
    zone_id bigint not null,
    date date not null,
    until_at timestamp not null,
    until_secs integer not null
);

-- Time zone of the service's date-times without an offset, as of the newest devices listing.
create table core.service_time_zone (
    time_zone varchar not null
);

-- The analyst's opening hours, by the zone's clock.
create table core.opening_hours (
    zone_id bigint not null,
    day_of_week integer not null, -- 1 = Monday; the day on which it opens
    opens_secs integer not null, -- after midnight
    closes_secs integer not null -- after the same midnight; over 86,400 is on the next day
);

-- The newest state of each notice of the status API.
create table core.notice (
    notice_id bigint not null,
    type varchar, -- general, planned or unplanned
    state varchar, -- null for general ones
    subject varchar,
    url varchar,
    began_at timestamp,
    ended_at timestamp, -- null: ongoing
    updated_at timestamp,
    seen_at timestamp not null -- requested_at of the response
);

create table core.component (
    component_id bigint not null,
    component_name varchar,
    state varchar, -- operational, degraded or under-maintenance
    parent_id bigint,
    updated_at timestamp,
    seen_at timestamp not null
);
