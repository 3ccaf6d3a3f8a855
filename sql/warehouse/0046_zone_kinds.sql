-- Kinds that zones play, from reference/zone_kinds.csv, with the local dates on which they do. A zone without a row here
-- plays every kind.
create table core.zone_kind (
    zone_id bigint not null,
    kind varchar not null,
    valid_from date not null,
    valid_to date not null -- inclusive
);

-- As of the last build.
create table core.built_zone_kind (
    zone_id bigint not null,
    kind varchar not null,
    valid_from date not null,
    valid_to date not null
);
