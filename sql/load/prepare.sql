-- What a load works with, beside the view landing_text.

-- Lines that DuckDB refused and JavaScript could read, written anew.
create or replace temp table mended (
    line_number bigint not null,
    line varchar not null
);

create or replace temp view mended_text as
select
    field.zone_id,
    field.item_id,
    field.play_start,
    field.duration_secs,
    field.location_id,
    field.artist_id,
    field.zone_name,
    field.location_name,
    field.item_name,
    field.artist_name
from (
    select
        json_transform(
            line,
            '{"zone_id": "varchar", "item_id": "varchar", "play_start": "varchar", "duration_secs": "varchar",
              "location_id": "varchar", "artist_id": "varchar", "zone_name": "varchar", "location_name": "varchar",
              "item_name": "varchar", "artist_name": "varchar"}'
        ) as field
    from mended
);

-- Lines as text, typed: source is landing_text, or another relation of its columns. is_sound tells those that are
-- records: false or null for all others. is_plausible does so but for ids that a cast takes and the contract does
-- not, which is enough where the text of ids is looked at elsewhere.
create or replace temp macro typed_line(source) as table
select
    *,
    make_timestamp(played_at_us) as played_at,
    cast((epoch_us(written_at_local) - played_at_us) // 60000000 as smallint) as written_offset_minutes,
    is_plausible
    -- Casts take more than the contract does ("1e3", 3.7, true), so each value has to read the same when cast back.
    and cast(zone as varchar) = zone_id
    and cast(item as varchar) = item_id
    and (location_id is null or cast(location as varchar) = location_id)
    and (artist_id is null or cast(artist as varchar) = artist_id) as is_sound
from (
    select
        *,
        zone between 0 and 2251799813685247
        and item between 0 and 2251799813685247
        and (location_id is null or coalesce(location between 0 and 2251799813685247, false))
        and (artist_id is null or coalesce(artist between 0 and 2251799813685247, false))
        and seconds between 0 and 86400
        and cast(seconds as varchar) = duration_secs
        and written_at_local is not null
        and played_at_us between epoch_us(timestamp '2000-01-01') and epoch_us(getvariable('latest_played_at'))
        and epoch_us(written_at_local) - played_at_us between -14 * 3600000000 and 14 * 3600000000
        and regexp_full_match(
            play_start,
            '\d{4}-\d\d-\d\dT([01]\d|2[0-3]):[0-5]\d:[0-5]\d([+-](0\d|1[0-4]):[0-5]\d|Z)'
        ) as is_plausible
    from (
        select
            *,
            try_cast(zone_id as bigint) as zone,
            try_cast(item_id as bigint) as item,
            try_cast(duration_secs as integer) as seconds,
            try_cast(location_id as bigint) as location,
            try_cast(artist_id as bigint) as artist,
            -- The cast to timestamp keeps the time that is written and drops its offset.
            try_cast(play_start as timestamp) as written_at_local,
            epoch_us(try_cast(play_start as timestamptz)) as played_at_us
        from query_table(source)
    )
);

-- Sound lines as records of core.play, with the local time in force.
create or replace temp macro sound_record(source) as table
select
    zone as zone_id,
    item as item_id,
    played_at,
    at_local as played_at_local,
    cast((epoch_us(at_local) - epoch_us(played_at)) // 60000000 as smallint) as utc_offset_minutes,
    written_offset_minutes,
    cast(at_local as date) as date,
    seconds as duration_secs,
    location as location_id,
    artist as artist_id
from (
    select
        l.*,
        case
            when t.time_zone is null then l.written_at_local
            else timezone(t.time_zone, cast(l.played_at as timestamptz))
        end as at_local
    from typed_line(source) as l
    left join core.zone_time_zone as t on t.zone_id = l.zone
    where l.is_sound
);

-- Records as one per key: the longest, among equally long ones the lowest artist. Which offset and location count
-- where lines of one file disagree is arbitrary, but does not hang on their order.
create or replace temp macro merged_record(source) as table
select
    zone_id,
    item_id,
    played_at,
    arg_min(played_at_local, written_offset_minutes) as played_at_local,
    arg_min(utc_offset_minutes, written_offset_minutes) as utc_offset_minutes,
    min(written_offset_minutes) as written_offset_minutes,
    arg_min(date, written_offset_minutes) as date,
    max(duration_secs) as duration_secs,
    min(location_id) as location_id,
    nullif(
        struct_extract(min({first: -duration_secs, second: coalesce(artist_id, 9223372036854775807)}), 'second'),
        9223372036854775807
    ) as artist_id,
    count(*) as lines,
    min(written_offset_minutes) <> max(written_offset_minutes) as has_two_offsets
from query_table(source)
group by zone_id, item_id, played_at;

-- The local date that a line gives, whatever the zone's time zone.
create or replace temp macro written_date(played_at, written_offset_minutes) as
cast(make_timestamp(epoch_us(played_at) + cast(written_offset_minutes as bigint) * 60000000) as date);

-- What a line says of its place and of its item, in words, and all that it says.
create or replace temp macro place_hash(zone_id, zone_name, location_id, location_name) as
hash(zone_id, zone_name, location_id, location_name);

create or replace temp macro item_hash(item_id, item_name, artist_id, artist_name) as
hash(item_id, item_name, artist_id, artist_name);

create or replace temp macro line_hash(play_start, duration_secs, place_hash, item_hash) as
hash(play_start, duration_secs, place_hash, item_hash);

-- Lines by what they say of zones and of items: for names, and to tell whether a zone's written date is as before.
-- hash is the same for the same lines in any order.
create or replace temp macro grouped_line(source) as table
select
    zone_id,
    day,
    zone_name,
    location_id,
    location_name,
    item_id,
    item_name,
    artist_id,
    artist_name,
    grouping(zone_id) = 0 as is_by_zone,
    count(*) as lines,
    count_if(is_record) as sound_lines,
    sum(line_hash) as hash,
    min(played_at) filter (where is_record) as first_at,
    max(played_at) filter (where is_record) as last_at
from (
    select
        *,
        left(play_start, 10) as day,
        coalesce(is_sound, false) as is_record,
        line_hash(
            play_start,
            duration_secs,
            place_hash(zone_id, zone_name, location_id, location_name),
            item_hash(item_id, item_name, artist_id, artist_name)
        ) as line_hash
    from typed_line(source)
)
group by grouping sets (
    (zone_id, day, zone_name, location_id, location_name),
    (item_id, item_name, artist_id, artist_name)
);
