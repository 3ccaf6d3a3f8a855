-- Temporary tables and macros for all loads: histories, listings, reference files, and the expansion of rules. They are
-- created empty when a load begins. Scripts exchange rows only in tables that this file or their own folder's
-- prepare.sql declares.

-- Names that were seen, with the first and last instant of each.
create or replace temp table seen_name (
    subject varchar not null, -- zone, location, item or artist
    kind varchar not null, -- kind of an item; '' for other subjects
    id bigint not null,
    name varchar not null,
    first_at timestamp not null,
    last_at timestamp not null
);

-- Locations in which zones were seen, with the first and last instant of each.
create or replace temp table seen_zone_location (
    zone_id bigint not null,
    location_id bigint not null,
    first_at timestamp not null,
    last_at timestamp not null
);

-- Zones that a response lists for a group.
create or replace temp table sighting (
    zone_id bigint not null,
    group_id bigint not null,
    source varchar not null,
    kind varchar not null,
    seen_at timestamp not null
);

-- Zones whose local days must be recomputed.
create or replace temp table touched_zone (
    zone_id bigint not null
);

-- Local days of these zones before they were recomputed.
create or replace temp table former_day (
    zone_id bigint not null,
    date date not null,
    start_at timestamp not null,
    end_at timestamp not null
);

-- Days whose plays changed.
create or replace temp table changed_day (
    kind varchar not null,
    date date
);

-- Undocumented fields, with one row per field and response.
create or replace temp table unknown_field (
    source varchar not null,
    kind varchar not null,
    field varchar not null,
    records bigint not null,
    seen_at timestamp not null
);

-- Lines of a reference file. Each file fills only some of the columns.
create or replace temp table reference_row (
    id bigint not null, -- zone id, location id, group id or campaign key; 0 for dayparts
    is_location boolean,
    value varchar, -- a time zone, name, kind or source
    day_of_week integer,
    opens_secs integer,
    closes_secs integer,
    valid_from date,
    valid_to date,
    plays bigint,
    plays_per_zone_day double,
    compliance double,
    impressions bigint,
    people bigint -- per play, in 3,600,000ths
);

-- Values in an attribute file.
create or replace temp table attribute_row (
    subject varchar not null,
    subject_key bigint not null,
    name varchar not null,
    value varchar not null,
    valid_from date not null,
    valid_to date not null
);

-- Plays whose local time changes.
create or replace temp table moved_play (
    stored_row bigint not null,
    kind varchar not null,
    played_at timestamp not null,
    stored_date date not null,
    played_at_local timestamp not null,
    date date not null
);

-- Rules with the dates on which they have an occurrence.
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

-- $horizon_at timestamp: time of the latest request. Zones have days up to then. Set by the scripts that compute days.

-- Parses an id. Returns null if the string is not a valid id.
create or replace temp macro exact_id(text) as
case
    when cast(try_cast(text as bigint) as varchar) = text and try_cast(text as bigint) between 0 and 2251799813685247
        then try_cast(text as bigint)
end;

-- Returns the local time of a play in the zone's named time zone. If there is none, uses the offset as written.
create or replace temp macro local_time(played_at, written_offset_minutes, time_zone) as
case
    when time_zone is null
        then make_timestamp(epoch_us(played_at) + cast(written_offset_minutes as bigint) * 60000000)
    else cast(timezone(time_zone, cast(played_at as timestamptz)) as timestamp)
end;

-- Returns the start of a local day in a time zone, in UTC. If midnight occurs twice because a clock goes back to it,
-- DuckDB uses the second occurrence, but the day begins at the first.
create or replace temp macro day_start(date, time_zone) as
make_timestamp(
    epoch_us(timezone(time_zone, cast(date as timestamp)))
    - greatest(
        0,
        epoch_us(timezone(time_zone, timezone(time_zone, cast(date as timestamp)) - interval 1 second))
        + 1000000
        - epoch_us(cast(date as timestamp))
    )
);

-- Returns the time zone that decides when a zone's days begin: the zone's named time zone or, if the zone has no plays,
-- the service's. Returns null if the UTC offsets of the zone's plays decide.
create or replace temp macro clock_of(named_time_zone, played_zone_id) as
coalesce(
    named_time_zone,
    case when played_zone_id is null then (select coalesce(max(time_zone), 'UTC') from core.service_time_zone) end
);
