-- Written dates of zones whose lines repeat a line of another written date.
create or replace temp table entangled_day (
    zone_id bigint not null,
    date date not null
)
