-- State of builds and publishes.

-- Days whose plays have changed since the models were last built.
create table core.dirty_day (
    kind varchar not null,
    date date not null
);

-- Days whose campaign days may have changed since then.
create table core.dirty_campaign_day (
    kind varchar not null, -- signage or messaging
    date date not null
);

-- The same for devices, whose days have no kind: it is ''.
create table core.dirty_device_day (
    kind varchar not null,
    date date not null
);

-- How each model was built. If its text, or that of a model that it reads, changes, it is built from scratch.
create table core.built_model (
    model varchar not null, -- schema.table
    sha256 varchar not null,
    built_at timestamp not null
);

-- Settings that models read, as of the last build.
create table core.build_setting (
    name varchar not null,
    value varchar not null
);

-- Durations of assets, in seconds, by which plays were last measured.
create table core.built_item_duration (
    item_key bigint not null,
    duration_secs double not null
);

-- Days of zones as of the last build of campaign days.
create table core.built_zone_day (
    zone_id bigint not null,
    date date not null,
    start_at timestamp not null,
    end_at timestamp not null,
    has_plays boolean not null,
    is_closed boolean not null,
    is_up boolean not null,
    is_down boolean not null
);

-- Owners whose listings applied to a zone, and the end of its settled days, as of that build.
create table core.built_zone_listing (
    kind varchar not null,
    zone_id bigint not null,
    owner_kind varchar not null,
    owner_id bigint not null,
    settled_until timestamp
);

-- What days of devices were last built from.
create table core.built_device_run (
    device_id bigint not null,
    zone_id bigint not null,
    state varchar not null,
    from_at timestamp not null,
    until_at timestamp not null
);

create table core.built_zone_opening (
    zone_id bigint not null,
    date date not null,
    opens_at timestamp not null,
    closes_at timestamp not null
);

create table core.built_planned_span (
    from_at timestamp not null,
    until_at timestamp not null
);

create table core.built_freshness (
    data_as_of timestamp
);

-- Days that were built but not yet published; their months are written again.
create table core.unpublished_day (
    kind varchar not null,
    date date not null
);

create table core.unpublished_campaign_day (
    kind varchar not null,
    date date not null
);

create table core.unpublished_device_day (
    kind varchar not null,
    date date not null
);

-- Days that the checks examine: unpublished ones, or all. Written just before they run.
create table core.checked_day (
    date date not null
);

-- Figures of the published version per kind and date, from which restatements are found.
create table core.published_day (
    kind varchar not null,
    date date not null,
    plays bigint not null,
    play_seconds bigint not null
);

-- Campaign days of unpublished days, as in the published version.
create table core.published_cell (
    campaign_key bigint not null,
    kind varchar not null,
    zone_id bigint not null,
    date date not null,
    state varchar not null
);

create table core.restatement (
    version varchar not null,
    kind varchar not null,
    date date not null,
    plays_before bigint not null,
    plays_after bigint not null,
    states_changed bigint not null
);

-- One row per published version, and at most one without published_at, which is being published.
create table core.version (
    version varchar not null,
    built_at timestamp not null,
    data_as_of timestamp,
    software_version varchar not null,
    published_at timestamp
);
