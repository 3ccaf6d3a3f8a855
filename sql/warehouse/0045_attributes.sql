-- Values from the attribute files in reference/, with the local dates on which they hold.
create table core.attribute (
    subject varchar not null, -- zone, location, campaign or item
    subject_key bigint not null, -- zone_id, location_id, campaign_key or item_key
    name varchar not null,
    value varchar not null,
    valid_from date not null,
    valid_to date not null -- inclusive
);
