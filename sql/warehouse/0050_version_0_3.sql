-- Tables and columns since version 0.2.

-- Hash of a line whose values are exactly the play's; null if no such line is known.
alter table core.play add column line_hash ubigint;

-- Pieces of landings, by which version 0.2 recognized lines.
alter table core.play drop column piece_id;
drop table core.piece_link;
drop table core.piece_reject;
drop table core.piece;
drop sequence core.piece_id;

-- Set of times of day at which a rule has occurrences (src/load/rules/time-set.ts); null: the rule has none.
alter table core.campaign_date add column time_set varchar;

-- The times at which zones reach the UNTIL of rules follow from mart.fact_clock_change.
drop table core.zone_until;

-- Announced end of a planned notice, which applies if ended_at is missing.
alter table core.notice add column ends_at timestamp;

-- Opening hours of days with rules that have times of day, as of the last build, by each zone's clock.
create table core.built_zone_hours (
    zone_id bigint not null,
    date date not null,
    opens_secs bigint not null,
    closes_secs bigint not null
);

-- Settings with which campaign days were last built.
create table core.built_setting (
    name varchar not null,
    value varchar not null
);

-- Values from the attribute files in reference/, with the local dates on which they hold.
create table core.attribute (
    subject varchar not null, -- zone, location, campaign or item
    subject_key bigint not null, -- zone_id, location_id, campaign_key or item_key
    name varchar not null,
    value varchar not null,
    valid_from date not null,
    valid_to date not null -- inclusive
);

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

-- Parts of the day from reference/dayparts.csv.
create table core.daypart (
    name varchar not null,
    from_secs integer not null, -- after midnight by the zone's clock
    to_secs integer not null -- exclusive, after the same midnight; over 86,400 is on the next day
);

-- Booked plays and agreed compliance of campaigns from reference/campaign_targets.csv.
create table core.campaign_target (
    campaign_key bigint not null,
    valid_from date not null, -- local dates, inclusive
    valid_to date not null,
    plays bigint, -- total over these dates
    plays_per_zone_day double,
    compliance double
);

-- Changed days that a consumer has not taken yet. Loads mark days in core.dirty_…; whoever takes marks first hands them
-- to all consumers, so that none misses what another one took.
create table core.pending_day (
    consumer varchar not null, -- build, or core: the publishing of core
    topic varchar not null, -- plays, campaigns or devices
    kind varchar not null,
    date date not null
);

-- The version of core that was published last. One row at most.
create table core.published_core (
    id varchar not null
);

-- On a cluster, the version of core that the version being built reads, with one row per table.
create table core.built_core (
    version_id varchar not null,
    table_name varchar not null,
    row_count bigint not null
);
