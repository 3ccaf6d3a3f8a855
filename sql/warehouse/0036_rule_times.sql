-- Rules that name times of day: at which times they have occurrences.
alter table core.campaign_date add column time_set varchar; -- null: the rule names none. Code of src/load/rules/time-set.ts
alter table core.former_campaign_date add column time_set varchar;

-- When zones were open on the days that cells were built from, where rules name times, by each zone's own clock.
create table core.built_zone_hours (
    zone_id bigint not null,
    date date not null,
    opens_secs bigint not null,
    closes_secs bigint not null
);

-- Settings that cells were built with.
create table core.built_setting (
    name varchar not null,
    value varchar not null
);
