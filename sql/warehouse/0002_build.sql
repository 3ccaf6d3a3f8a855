-- What building and publishing remember.

-- How each model was built: one whose text changed, or the text of a model that it reads, is built anew, whole.
create table core.built_model (
    model varchar not null, -- schema.table
    sha256 varchar not null,
    built_at timestamp not null
);

-- Settings that models read, as they were when the models were built last.
create table core.build_setting (
    name varchar not null,
    value varchar not null
);

-- Lengths of assets, in seconds, by which plays were last measured: when one changes, its plays are measured anew.
create table core.built_item_duration (
    item_key bigint not null,
    duration_secs double not null
);

-- Days that were built but not yet published; their months are written again.
create table core.unpublished_day (
    kind varchar not null,
    date date not null
);

-- Days that the checks look at, of all kinds: those that are not yet published, or all. Written just before they run.
create table core.checked_day (
    date date not null
);

-- Per kind and date, what the published version says: to tell what a later version restates.
create table core.published_day (
    kind varchar not null,
    date date not null,
    plays bigint not null,
    play_seconds bigint not null
);

create table core.restatement (
    version varchar not null,
    kind varchar not null,
    date date not null,
    plays_before bigint not null,
    plays_after bigint not null,
    states_changed bigint not null
);

-- One row per version that was published, and at most one, without published_at, that is on its way.
create table core.version (
    version varchar not null,
    built_at timestamp not null,
    data_as_of timestamp,
    software_version varchar not null,
    published_at timestamp
);
