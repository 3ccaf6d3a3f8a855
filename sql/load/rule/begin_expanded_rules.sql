create or replace temp table expanded_rule (
    rule_id bigint,
    rule_error varchar,
    is_every_day boolean,
    expanded_from date,
    expanded_to date,
    expanded_by varchar,
    until_at timestamp,
    dates struct(date date, first_secs integer)[]
)
