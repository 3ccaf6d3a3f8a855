-- Campaigns: what listings of groups and zones said, and when.

-- Listings are of a group or of a zone.
alter table core.snapshot alter group_id drop not null;
alter table core.snapshot add column zone_id bigint;
alter table core.asset_snapshot alter group_id drop not null;
alter table core.asset_snapshot add column zone_id bigint;

-- One row per listing of campaigns, by whose it is: of two of the same instant the one loaded last.
create table core.campaign_listing (
    kind varchar not null, -- signage or messaging
    owner_kind varchar not null, -- group or zone
    owner_id bigint not null,
    requested_at timestamp not null,
    campaigns bigint not null,
    is_valid boolean not null, -- false of an empty one after one that was not, unless the next one is empty too
    previous_at timestamp -- of the valid one before
);

-- Maximal runs of an owner's listings, valid or not, in which the same record was.
create table core.listing_run (
    kind varchar not null,
    owner_kind varchar not null,
    owner_id bigint not null,
    subject varchar not null, -- campaign: what is said of it; asset: that it is linked to a campaign
    record varchar not null, -- JSON
    first_at timestamp not null,
    last_at timestamp not null
);

-- Maximal runs of an owner's valid listings that said the same of a campaign. Made from listing_run.
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
    start_date date, -- null is open
    end_date date,
    rrule varchar,
    record_error varchar, -- a date that is none
    from_at timestamp not null, -- 1970-01-01 of what the owner's first listing said
    until_at timestamp, -- requested_at of the next valid listing; null: still so
    seen_from_at timestamp not null,
    last_seen_at timestamp not null
);

-- The same of assets that are linked to campaigns.
create table core.listing_asset_span (
    kind varchar not null,
    owner_kind varchar not null,
    owner_id bigint not null,
    campaign_id bigint not null,
    asset_id bigint not null,
    start_date date, -- null is open
    end_date date,
    from_at timestamp not null,
    until_at timestamp,
    seen_from_at timestamp not null,
    last_seen_at timestamp not null
);

-- The newest that a listing of campaigns said of an asset.
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

-- Every rule, with the dates that it is counted from.
create table core.campaign_rule (
    rule_id bigint not null,
    rrule varchar not null,
    start_date date,
    add_date date,
    rule_error varchar, -- why it can't be read
    is_every_day boolean not null,
    expanded_from date not null, -- dates from here to expanded_to are in campaign_date
    expanded_to date not null
);

-- Dates on which a rule has an occurrence.
create table core.campaign_date (
    rule_id bigint not null,
    date date not null
);
