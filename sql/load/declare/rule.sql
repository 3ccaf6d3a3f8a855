-- What expanding rules works with, beside declare/shared.sql.

-- Rules, with the dates on which they have an occurrence.
create or replace temp table expanded_rule (
    rule_id bigint not null,
    rule_error varchar,
    is_every_day boolean not null,
    expanded_from date not null,
    expanded_to date not null,
    expanded_by varchar not null,
    until_at timestamp,
    dates struct(date date, first_secs integer, time_set varchar) [] not null
);

-- When zones reach the UNTIL of rules on days of 23 or 25 hours.
create or replace temp table zone_until (
    zone_id bigint not null,
    date date not null,
    until_at timestamp not null,
    until_secs integer not null
);
