-- What a warehouse remembers that is built from a lake of several machines, and itself loads nothing.

-- One row in such a warehouse.
create table core.lake (
    path varchar not null -- of the lake that it was filled from last
);

-- How each table of core was filled: one whose select, or what it reads, differs is filled again.
create table core.lake_table (
    name varchar not null,
    fingerprint varchar not null
);

-- Per machine, the days of plays that core.play was filled from, as its manifest has them.
create table core.lake_day (
    machine varchar not null,
    kind varchar not null,
    date date not null,
    fingerprint varchar not null
);

-- Zones whose plays were told by another clock than their machine's: by the time zone that another machine names.
create table core.lake_clock (
    machine varchar not null,
    zone_id bigint not null,
    time_zone varchar not null
);

-- What core held before it was filled, to find the days that this touches. Empty at all other times.
create table core.former_snapshot as select * from core.snapshot where false;
create table core.former_zone_day as select * from core.zone_day where false;
create table core.former_campaign_listing as select * from core.campaign_listing where false;
create table core.former_listing_span as select * from core.listing_span where false;
create table core.former_listing_asset_span as select * from core.listing_asset_span where false;
create table core.former_campaign_rule as select * from core.campaign_rule where false;
create table core.former_campaign_date as select * from core.campaign_date where false;
create table core.former_zone_until as select * from core.zone_until where false;
