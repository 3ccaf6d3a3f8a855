-- Booked plays and agreed compliance of campaigns from reference/campaign_targets.csv.
create table core.campaign_target (
    campaign_key bigint not null,
    valid_from date not null, -- local dates, inclusive
    valid_to date not null,
    plays bigint, -- total over these dates
    plays_per_zone_day double,
    compliance double
);
