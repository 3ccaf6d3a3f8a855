-- What loads of histories, listings and reference files share, and the expansion of rules, too. Declared anew, empty, at
-- the start of each; a step fills what later steps read.

-- Names that were seen, and from when until when: each once.
create or replace temp table seen_name (
    subject varchar not null, -- zone, location, item or artist
    kind varchar not null, -- of an item; '' of everything else
    id bigint not null,
    name varchar not null,
    first_at timestamp not null,
    last_at timestamp not null
);

-- The same of the locations of zones.
create or replace temp table seen_zone_location (
    zone_id bigint not null,
    location_id bigint not null,
    first_at timestamp not null,
    last_at timestamp not null
);

-- Zones that an answer about a group named.
create or replace temp table sighting (
    zone_id bigint not null,
    group_id bigint not null,
    source varchar not null,
    kind varchar not null,
    seen_at timestamp not null
);

-- Zones whose local days have to be found anew.
create or replace temp table touched_zone (
    zone_id bigint not null
);

-- The days of these zones as they were.
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

-- What answers held that the service does not document.
create or replace temp table unknown_field (
    source varchar not null,
    kind varchar not null,
    field varchar not null,
    answers bigint not null,
    records bigint not null,
    first_seen_at timestamp not null,
    last_seen_at timestamp not null
);

-- $horizon_at timestamp: the newest request; days of zones go this far. Set by shared/find_horizon.

-- Rows that a step is given: a JSON array, in a shape as from_json has it. A struct becomes a column for each member.
create or replace temp macro rows_of(rows, shape) as table
select unnest(from_json(cast(rows as varchar), shape), recursive := true);

-- An id as the contract has it, from text; else null.
create or replace temp macro exact_id(text) as
case
    when cast(try_cast(text as bigint) as varchar) = text and try_cast(text as bigint) between 0 and 2251799813685247
        then try_cast(text as bigint)
end;

-- The local time of a play: in the zone's named time zone, else, where that is null, as written.
create or replace temp macro local_time(played_at, written_offset_minutes, time_zone) as
case
    when time_zone is null
        then make_timestamp(epoch_us(played_at) + cast(written_offset_minutes as bigint) * 60000000)
    else cast(timezone(time_zone, cast(played_at as timestamptz)) as timestamp)
end;

-- When a local day begins in a time zone, in UTC. Of a midnight that comes twice, as a clock goes back to it, DuckDB takes
-- the second: what of the day lies before that is its beginning.
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

-- The time zone by which a zone's days begin: its named one, else, where it has no plays, the service's. Null where the
-- offsets of its plays decide.
create or replace temp macro clock_of(named_time_zone, played_zone_id) as
coalesce(
    named_time_zone,
    case when played_zone_id is null then (select coalesce(max(time_zone), 'UTC') from core.service_time_zone) end
);
