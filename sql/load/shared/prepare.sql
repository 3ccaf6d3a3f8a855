-- Temporary tables and macros of all loads: histories, listings, reference files, and the expansion of rules. Created empty
-- when one of them begins. Scripts exchange rows in what this file and the prepare.sql of their folder declare.

-- Names that were seen, each once, with the first and last instant.
create or replace temp table seen_name (
    subject varchar not null, -- zone, location, item or artist
    kind varchar not null, -- of an item; '' of everything else
    id bigint not null,
    name varchar not null,
    first_at timestamp not null,
    last_at timestamp not null
);

-- Locations of zones that were seen, each once, with the first and last instant.
create or replace temp table seen_zone_location (
    zone_id bigint not null,
    location_id bigint not null,
    first_at timestamp not null,
    last_at timestamp not null
);

-- Zones in a response about a group.
create or replace temp table sighting (
    zone_id bigint not null,
    group_id bigint not null,
    source varchar not null,
    kind varchar not null,
    seen_at timestamp not null
);

-- Zones whose local days have to be found again.
create or replace temp table touched_zone (
    zone_id bigint not null
);

-- The previous days of these zones.
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

-- Undocumented fields, one row per response that has them.
create or replace temp table unknown_field (
    source varchar not null,
    kind varchar not null,
    field varchar not null,
    records bigint not null,
    seen_at timestamp not null
);

-- The lines of a reference file; each file has its own columns.
create or replace temp table reference_row (
    id bigint not null, -- of a zone or group; 0 for dayparts
    value varchar, -- a time zone or name
    day_of_week integer,
    opens_secs integer,
    closes_secs integer
);

-- The values of an attribute file.
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

-- $horizon_at timestamp: the newest request, up to which days of zones go. Set by the scripts that find days.

-- An id from text, null unless it is one by the contract.
create or replace temp macro exact_id(text) as
case
    when cast(try_cast(text as bigint) as varchar) = text and try_cast(text as bigint) between 0 and 2251799813685247
        then try_cast(text as bigint)
end;

-- The local time of a play: in the zone's named time zone, or as written if there is none.
create or replace temp macro local_time(played_at, written_offset_minutes, time_zone) as
case
    when time_zone is null
        then make_timestamp(epoch_us(played_at) + cast(written_offset_minutes as bigint) * 60000000)
    else cast(timezone(time_zone, cast(played_at as timestamptz)) as timestamp)
end;

-- The UTC start of a local day in a time zone. If midnight occurs twice because a clock goes back to it, DuckDB takes the
-- second; the day begins at the first.
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

-- The time zone that decides when a zone's days begin: its named one, or the service's if it has no plays. Null if the
-- offsets of its plays decide.
create or replace temp macro clock_of(named_time_zone, played_zone_id) as
coalesce(
    named_time_zone,
    case when played_zone_id is null then (select coalesce(max(time_zone), 'UTC') from core.service_time_zone) end
);
