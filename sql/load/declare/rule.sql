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
