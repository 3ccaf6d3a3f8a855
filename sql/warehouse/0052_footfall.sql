-- People near screens, from reference/footfall.csv, with the local dates on which a line applies.
create table core.footfall (
    zone_id bigint, -- null: all zones of the location
    location_id bigint,
    day_of_week integer, -- null: every day
    from_secs integer not null, -- after midnight by the zone's clock
    to_secs integer not null, -- exclusive
    people bigint not null, -- per play, in 3,600,000ths
    source varchar not null,
    valid_from date not null,
    valid_to date not null -- inclusive
);

-- Footfall of each zone as of the last build.
create table core.built_footfall (
    zone_id bigint not null,
    day_of_week integer not null,
    from_secs bigint not null,
    to_secs bigint not null,
    people bigint not null,
    valid_from date not null,
    valid_to date not null
);

alter table core.campaign_target add column impressions bigint; -- total over these dates
