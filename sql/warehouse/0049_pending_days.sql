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

-- Builds no longer read lakes. The other tables of lakes stay until `venue load --lake` is removed.
drop table core.lake_gone;
drop table core.former_snapshot;
drop table core.former_zone_day;
drop table core.former_campaign_listing;
drop table core.former_listing_span;
drop table core.former_listing_asset_span;
drop table core.former_campaign_rule;
drop table core.former_campaign_date;
