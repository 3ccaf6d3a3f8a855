-- Ends of rules as of the last build.
create table core.built_rule_ended_day (
    rule_id bigint not null,
    zone_id bigint not null,
    date date not null,
    until_secs bigint
);
