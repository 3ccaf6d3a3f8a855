-- Temporary tables, views and macros for loading histories, created empty when a load begins. shared/prepare.sql
-- declares the others. Landings that are loaded together are walks of one kind and different zones. The scripts in this
-- folder run in this order:
--
--   prepare   prepare.sql
--   find      hash_lines.sql, find_fresh.sql, select_fresh.sql
--   read      read_lines.sql, find_refused.sql
--   classify  correct_lines.sql, name_sets.sql, select_unnamed.sql
--   match     match_plays.sql, compare_plays.sql, merge_repeats.sql, find_vanished.sql
--   apply     apply.sql
--   account   account.sql, ../shared/store_findings.sql, ../shared/refresh_zone_days.sql, ../shared/begin_zone_days.sql
--   remember  store_hashes.sql

-- $kind varchar: kind of all lines.
-- $source varchar: export, walk or file.
-- $group_id bigint: group of an export.
-- $load_id bigint: load id of the first landing; the others have higher load ids.
-- $requested_at timestamp: time of the request for the latest landing.
-- $latest_played_at timestamp: latest plausible start of a play; a later start means that the player's clock is wrong.
-- $rules_version varchar: version of the rules for records; a line that was read with another version is read again.
-- $read_file varchar: path of the file that DuckDB reads, escaped as a glob pattern.
-- $skips_known boolean: lines whose hash is in core.play are not read.
-- $first_played_at timestamp: start of the first record that was read. Set by correct_lines.sql.
-- $last_played_at timestamp: start of the last record that was read. Set by correct_lines.sql.
-- $hash_key varchar: random per load, so that nobody can choose names that make the hashes of different ids collide.
-- $slice_from timestamp: start of the time slice that is searched for repeats.
-- $slice_to timestamp: end of that slice, exclusive.
-- $repeats bigint: number of lines in that slice that repeat the zone and instant of another, or a play whose line is
--   known. Set by merge_repeats.sql.
-- $new_records bigint: number of records that are not yet in core.
-- $changed_records bigint: number of records that change a play in core.

-- Landings that are loaded together.
create or replace temp table landing (
    load_id bigint not null,
    landing_id varchar not null,
    zone_id bigint, -- only for a walk
    requested_at timestamp not null,
    latest_played_at timestamp not null,
    loaded_at timestamp not null,
    is_complete boolean not null,
    bytes bigint not null
);

-- Numbers of lines of each landing. Landings that are loaded together are read from one file.
create or replace temp table landing_lines (
    load_id bigint not null,
    lines bigint not null,
    blank bigint not null,
    from_row bigint not null, -- number of non-blank lines before the landing in the file
    to_row bigint not null -- the same number after it
);

-- Hashes of all non-blank lines of the file, in order; null for a line that is not JSON. Empty if they are not needed.
create or replace temp table line_hash (
    hash ubigint
);

-- Lines that DuckDB may read differently from JavaScript.
create or replace temp table odd_line (
    file_row bigint not null
);

-- Lines whose hash is not in core.play, and plays in core whose hash no line has. All lines if hashes cannot be used.
create or replace temp table unmatched (
    file_row bigint, -- row id in temp.line_hash; null for a play
    hash ubigint,
    stored_row bigint -- row id in core.play; null for a line
);

-- Lines that are read from a copy, in order. Empty if the file itself is read.
create or replace temp table fresh_line (
    file_row bigint not null, -- number of the line among the non-blank lines of the file, from 0
    hash ubigint
);

-- One row per non-blank line that DuckDB read, in line order. A row is sound if the line is a record and DuckDB could
-- read it. Ids, names and UTC offsets are only stored as hashes, because there are few distinct sets of them. One line
-- of each set is read again to get its values.
create or replace temp table line (
    played_at timestamp, -- null if the row is not sound
    duration_secs integer,
    place_hash ubigint, -- hash of zone, location, their names and the UTC offset
    item_hash ubigint -- hash of item, artist and their names
);

-- Lines to read again from their landing.
create or replace temp table wanted_line (
    line_row bigint not null -- row id in temp.line
);

-- Records that JavaScript found in the wanted lines, rewritten so that DuckDB can read them.
create or replace temp table classified_line (
    line_row bigint not null,
    line varchar not null
);

-- Lines that are not records.
create or replace temp table reject (
    load_id bigint not null,
    line_number bigint not null, -- in the landing, from 1
    reason varchar not null,
    line varchar not null
);

-- Keys (zone, item and instant) shared by several lines, or by one line and a play whose line was not read.
create or replace temp table repeated_key (
    zone_id bigint not null,
    item_id bigint not null,
    played_at timestamp not null
);

-- The lines of each repeated key, merged into one record.
create or replace temp table merged_repeat (
    line_row bigint not null, -- row of the first of these lines
    load_id bigint not null,
    zone_id bigint not null,
    item_id bigint not null,
    played_at timestamp not null,
    written_offset_minutes smallint not null,
    duration_secs integer not null,
    location_id bigint,
    artist_id bigint,
    is_exact boolean not null, -- the lines have the same values
    repeats bigint not null -- number of lines that are not counted as the record
);

-- Records that core already has. The table is narrow, because it may have as many rows as core.play.
create or replace temp table matched (
    line_row bigint not null,
    load_id integer not null,
    stored_row bigint not null, -- row id in core.play
    is_changed boolean, -- the play must change; before compare_plays.sql: the hashes differ
    is_exact boolean not null, -- the line's values are those of the play
    is_shown boolean not null, -- the landing also has the play's own line, which was not read
    is_late boolean not null default false -- the play was last changed by a landing that was requested later
);

-- Distinct sets of ids and names in sound lines. A set describes a place (zone, location and UTC offset) or an item
-- (with its artist).
create or replace temp table line_set (
    is_place boolean not null, -- false for an item
    hash ubigint not null,
    line_row bigint not null, -- row of the first line with this set
    first_at timestamp not null,
    last_at timestamp not null
);

-- One line for each set that had no names yet, with its values as strings.
create or replace temp table sample_text (
    zone_id varchar,
    item_id varchar,
    play_start varchar,
    duration_secs varchar,
    location_id varchar,
    artist_id varchar,
    zone_name varchar,
    location_name varchar,
    item_name varchar,
    artist_name varchar
);

-- Values of the sets that describe places. temp.item has those that describe items.
create or replace temp table place (
    place_hash ubigint not null,
    zone_id bigint not null,
    zone_name varchar,
    location_id bigint,
    location_name varchar,
    written_offset_minutes smallint not null
);

create or replace temp table item (
    item_hash ubigint not null,
    item_id bigint not null,
    item_name varchar,
    artist_id bigint,
    artist_name varchar
);

-- Zones with plays in an export.
create or replace temp table shown_zone (
    zone_id bigint not null,
    first_at timestamp not null, -- start of the zone's first record in the landing
    last_missing_at timestamp -- start of the zone's last play in core that is missing from the landing
);

-- One row per non-blank line of $read_file, with every value as a string. All values are null if DuckDB rejects the
-- line. Only the columns for $kind are read.
create or replace temp view line_text as
select
    zone_id,
    case when getvariable('kind') = 'music' then song_id else asset_id end as item_id,
    play_start,
    duration_secs,
    location_id,
    case when getvariable('kind') = 'music' then artist_id end as artist_id,
    zone_name,
    location_name,
    case when getvariable('kind') = 'music' then song_name else asset_name end as item_name,
    case when getvariable('kind') = 'music' then artist_name end as artist_name
from read_ndjson(
    getvariable('read_file'),
    columns = {
        zone_id: 'varchar',
        song_id: 'varchar',
        asset_id: 'varchar',
        play_start: 'varchar',
        duration_secs: 'varchar',
        location_id: 'varchar',
        artist_id: 'varchar',
        zone_name: 'varchar',
        location_name: 'varchar',
        song_name: 'varchar',
        asset_name: 'varchar',
        artist_name: 'varchar'
    },
    -- Gzipped landings have already been decompressed, so DuckDB must not decide by the file name.
    compression = 'uncompressed',
    -- A folder named `duration_secs=5` in the path must not set a column.
    hive_partitioning = false,
    ignore_errors = true
);

-- Records that JavaScript found, with their values as strings.
create or replace temp view classified_text as
select
    line_row,
    unnest(
        json_transform(
            line,
            '{"zone_id": "varchar", "item_id": "varchar", "play_start": "varchar", "duration_secs": "varchar",
              "location_id": "varchar", "artist_id": "varchar", "zone_name": "varchar", "location_name": "varchar",
              "item_name": "varchar", "artist_name": "varchar"}'
        )
    )
from temp.classified_line;

-- Lines from which the values of sets are taken.
create or replace temp view set_text as
select * exclude (line_row)
from temp.classified_text
union all by name
select *
from temp.sample_text;

-- Converts the strings in one of the views above to the types of temp.line. Casts accept more than the record format
-- allows (12.5, 24:00), so seconds must be unchanged when cast back to a string, and instants must have the usual form.
-- The UTC offset is part of a set and is checked with that set.
create or replace temp macro typed_line(source) as table
select
    *,
    try_cast((epoch_us(try_cast(play_start as timestamp)) - played_at_us) // 60000000 as smallint) as offset_minutes,
    hash(getvariable('hash_key'), zone_id, zone_name, location_id, location_name, written_offset) as place_hash,
    hash(getvariable('hash_key'), item_id, item_name, artist_id, artist_name) as item_hash,
    case
        when
            zone_id is not null
            and item_id is not null
            and seconds between 0 and 2678400
            and cast(seconds as varchar) = duration_secs
            and played_at_us between epoch_us(timestamp '2000-01-01') and epoch_us(getvariable('latest_played_at'))
            and play_start like '____-__-__T__:__:__%'
            and clock >= '00'
            and clock < '24'
            and not contains(clock, '.')
            then make_timestamp(played_at_us)
    end as sound_played_at
from (
    select
        *,
        try_cast(duration_secs as integer) as seconds,
        epoch_us(try_cast(play_start as timestamptz)) as played_at_us,
        substr(play_start, 12, 9) as clock, -- up to the first character of the UTC offset
        substr(play_start, 20) as written_offset
    from query_table(source)
);

-- Sets that have no values yet.
create or replace temp view unnamed_set as
with named as (
    select
        true as is_place,
        place_hash as hash
    from temp.place
    union all
    select
        false as is_place,
        item_hash as hash
    from temp.item
)

select s.*
from temp.line_set as s
anti join named as n on n.is_place = s.is_place and n.hash = s.hash;

-- Plays in core of this kind. The line of a known play is in the landing but was not read: the play's hash was compared
-- with those of the lines, and is not in temp.unmatched.
create or replace temp view stored_play as
select
    p.rowid as stored_row,
    p.* exclude (kind),
    getvariable('skips_known')
    and p.line_hash is not null
    and p.played_at <= getvariable('latest_played_at')
    and (getvariable('group_id') is null or z.zone_id is not null)
    and u.stored_row is null as is_known
from core.play as p
left join temp.unmatched as u on u.stored_row = p.rowid
left join (
    select distinct zone_id
    from core.zone_group_sighting
    where group_id = getvariable('group_id')
) as z on z.zone_id = p.zone_id
where p.kind = getvariable('kind');

-- Sound lines. Walks that are loaded together are of different zones.
create or replace temp view record as
select
    l.rowid as line_row,
    coalesce(d.load_id, getvariable('load_id')) as load_id,
    p.zone_id,
    i.item_id,
    l.played_at,
    p.written_offset_minutes,
    l.duration_secs,
    p.location_id,
    i.artist_id
from temp.line as l
inner join temp.place as p on p.place_hash = l.place_hash
inner join temp.item as i on i.item_hash = l.item_hash
left join temp.landing as d on d.zone_id = p.zone_id
where l.played_at is not null;

-- The same lines, merged into one record per key.
create or replace temp view incoming as
select
    r.*,
    true as is_exact
from temp.record as r
anti join temp.repeated_key as k on k.zone_id = r.zone_id and k.item_id = r.item_id and k.played_at = r.played_at
union all
select * exclude (repeats)
from temp.merged_repeat;

-- Hashes of the lines in temp.line.
create or replace temp view row_hash as
select
    rowid as line_row,
    hash
from temp.fresh_line
union all
select
    rowid as line_row,
    hash
from temp.line_hash
where (select count(*) from temp.fresh_line) = 0;

-- One row per UTC date: the number of lines that were read, and the first and last of their rows.
create or replace temp view line_date as
select
    cast(cast(played_at as date) as timestamp) as from_at,
    cast(cast(played_at as date) + 1 as timestamp) as to_at,
    count(*) as lines,
    min(rowid) as first_row,
    max(rowid) as last_row
from temp.line
where played_at is not null
group by cast(played_at as date);

-- Numbers of matched records: all, those that change a play, those whose play has another line in the landing that was
-- not read, and those in excess of one per matched play. Distinct plays are counted as bits, for a million rows of
-- core.play at a time.
create or replace temp view match_count as
with part as (
    select
        count(*) as matched,
        count(*) filter (where is_changed) as changed,
        count(*) filter (where is_shown) as shown,
        system.main.bit_count(bitstring_agg(stored_row % 1000000, 0, 999999)) as plays
    from temp.matched
    group by stored_row // 1000000
)

select
    cast(coalesce(sum(matched), 0) as bigint) as matched,
    cast(coalesce(sum(changed), 0) as bigint) as changed,
    cast(coalesce(sum(shown), 0) as bigint) as shown,
    cast(coalesce(sum(matched - plays), 0) as bigint) as matched_twice
from part;

-- Hashes of a play's key and of the whole record. The two hash their arguments in a different order, so that two keys
-- that have the same hash by chance still have different record hashes.
create or replace temp macro key_hash(zone_id, item_id, played_at) as hash(
    getvariable('hash_key'), zone_id, item_id, played_at
);

create or replace temp macro record_hash(
    zone_id, item_id, played_at, written_offset_minutes, duration_secs, location_id, artist_id
) as hash(
    getvariable('hash_key'), duration_secs, written_offset_minutes, location_id, artist_id, played_at, item_id, zone_id
);
