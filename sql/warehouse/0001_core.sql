-- The warehouse: what was loaded (core), what models make of it (staging, mart).
-- Instants are naive UTC timestamps, local times plain, dates DATE. No keys are declared: DuckDB would keep an
-- index for each, which costs more than the checks that prove them.
create schema core;
create schema staging;
create schema mart;

create sequence core.load_id start 1;

-- The ledger: one row per loaded history landing; lines = new_plays + changed + unchanged + duplicate + rejected + blank.
create table core.load (
    load_id bigint not null,
    landing_id varchar not null, -- the same landing is never loaded twice
    source varchar not null, -- export, walk or file
    kind varchar not null,
    group_id bigint,
    zone_id bigint,
    requested_at timestamp not null,
    loaded_at timestamp not null,
    is_complete boolean not null, -- holds all that the service had of its group (or zone) and kind
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
    line_number bigint not null, -- of the landing, from 1
    reason varchar not null,
    line varchar not null -- its first 1,000 characters
);

-- One row per (kind, zone_id, played_at, item_id).
create table core.play (
    kind varchar not null,
    zone_id bigint not null,
    item_id bigint not null,
    played_at timestamp not null,
    played_at_local timestamp not null,
    utc_offset_minutes smallint not null, -- in force: of the zone's named time zone, else as written
    written_offset_minutes smallint not null, -- as written in the line
    date date not null, -- of played_at_local
    duration_secs integer not null,
    location_id bigint,
    artist_id bigint,
    first_load_id bigint not null,
    last_load_id bigint not null -- the load that changed it last
);

-- What a zone's lines of one written date were when they were loaded last: the same lines need not be loaded again.
create table core.day_fingerprint (
    kind varchar not null,
    zone_id bigint not null,
    date date not null, -- as written in the lines, whatever the zone's time zone
    lines bigint not null, -- all of them good
    hash hugeint not null, -- over all values of all lines, whatever their order
    records bigint not null, -- distinct ones
    zero_second bigint not null, -- records of zero seconds
    first_at timestamp not null, -- of the first record
    first_records bigint not null, -- that began at that instant
    hashed_by varchar not null -- DuckDB's version: another one may hash otherwise
);

-- Every name that a zone, location, item or artist has had, from history and listings.
create table core.name_span (
    subject varchar not null, -- zone, location, item or artist
    kind varchar not null, -- of an item; '' of everything else
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

-- When a zone was last seen in a group, per source that names the two together.
create table core.zone_group_sighting (
    zone_id bigint not null,
    group_id bigint not null,
    source varchar not null, -- devices or export
    kind varchar not null, -- of an export; '' of devices
    last_seen_at timestamp not null -- requested_at of the answer that held it
);

create table core.configured_group (
    group_id bigint not null
);

create sequence core.snapshot_id start 1;

-- One row per listing that was asked for and loaded: the ledger of snapshots.
create table core.snapshot (
    snapshot_id bigint not null,
    landing_id varchar not null,
    source varchar not null, -- devices or assets
    kind varchar not null, -- signage or messaging; '' of devices
    group_id bigint not null,
    requested_at timestamp not null,
    loaded_at timestamp not null,
    records bigint not null,
    rejected bigint not null
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
    last_sd_error_at timestamp
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

create table core.asset_snapshot (
    snapshot_id bigint not null,
    kind varchar not null,
    group_id bigint not null,
    requested_at timestamp not null,
    asset_id bigint not null,
    asset_name varchar,
    duration double, -- in the service's unit, which it does not document
    add_date date,
    start_date date,
    end_date date
);

-- The analyst's CSVs, as last applied.
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

-- A zone's local days, from its first to its last play: where each starts and ends in UTC.
create table core.zone_day (
    zone_id bigint not null,
    date date not null,
    start_at timestamp not null,
    end_at timestamp not null -- exclusive
);

-- Days whose plays changed since models were built last.
create table core.dirty_day (
    kind varchar not null,
    date date not null
);
