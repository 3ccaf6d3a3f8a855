-- What days of devices were last built from: what differs since then touches days.
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
