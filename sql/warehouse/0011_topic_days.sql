-- What building and publishing remember of campaigns and devices: their days change without a play.

-- Days whose cells of compliance may have changed since models were built last.
create table core.dirty_campaign_day (
    kind varchar not null, -- signage or messaging
    date date not null
);

-- Days of campaigns that were built but not yet published.
create table core.unpublished_campaign_day (
    kind varchar not null,
    date date not null
);

-- Cells of compliance of unpublished days, as the published version has them.
create table core.published_cell (
    campaign_key bigint not null,
    kind varchar not null,
    zone_id bigint not null,
    date date not null,
    state varchar not null
);

-- The same of devices, whose days have no kind: it is ''.
create table core.dirty_device_day (
    kind varchar not null,
    date date not null
);

create table core.unpublished_device_day (
    kind varchar not null,
    date date not null
);

-- Days of zones, as cells of compliance were last built from them.
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

-- Whose listings decided in a zone, and up to when its days counted as settled, when cells were last built.
create table core.built_zone_listing (
    kind varchar not null,
    zone_id bigint not null,
    owner_kind varchar not null,
    owner_id bigint not null,
    settled_until timestamp
);
