-- Parts of the day from reference/dayparts.csv.
create table core.daypart (
    name varchar not null,
    from_secs integer not null, -- after midnight by the zone's clock
    to_secs integer not null -- exclusive, after the same midnight; over 86,400 is on the next day
);
