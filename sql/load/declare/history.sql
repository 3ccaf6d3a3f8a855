-- What a load of history lines works with, beside declare/shared.sql. Declared anew, empty, as each load begins; a step
-- fills what later steps read. Landings that are loaded together are walks of one kind, each of another zone.

-- $kind varchar: of all lines.
-- $source varchar: export, walk or file.
-- $group_id bigint: of an export.
-- $load_id bigint: of the first landing; those of the others are higher.
-- $requested_at timestamp: of the last landing.
-- $latest_played_at timestamp: what began later has a wrong clock.
-- $read_by varchar: by which rules lines are read; pieces that were read by others are read again.
-- $read_file varchar: the file that DuckDB reads, as a pattern.
-- $reading integer: which reading of lines it is, from 1.
-- $rows_before bigint: how many rows the readings before it brought.
-- $first_played_at timestamp: when the first record began that was read. Set by history/find_sets.
-- $last_played_at timestamp: when the last one did. Set by history/find_sets.
-- $hash_key varchar: random, of this load alone: nobody can write lines whose hashes are alike.
-- $first_row bigint: the row id of the first row in temp.line. Set by history/number_rows.

-- The landings.
create or replace temp table landing (
    load_id bigint not null,
    landing_id varchar not null,
    zone_id bigint, -- of a walk
    requested_at timestamp not null,
    latest_played_at timestamp not null,
    loaded_at timestamp not null,
    is_complete boolean not null,
    bytes bigint not null
);

-- Their pieces as they were cut, in the order of landings and lines.
create or replace temp table cut_piece (
    place integer not null, -- from 0
    load_id bigint not null,
    digest varchar not null,
    bytes bigint not null,
    lines bigint not null,
    blank bigint not null,
    is_known boolean not null
);

-- The same, as far as the ledger knows them. A piece that occurs again is the same piece in another place.
create or replace temp table piece (
    place integer not null,
    load_id bigint not null,
    digest varchar not null,
    bytes bigint not null,
    lines bigint not null,
    blank bigint not null,
    lines_before bigint not null, -- of its landing
    piece_id bigint not null,
    is_repeat boolean not null, -- it stands before, too
    is_known boolean not null, -- core.piece tells what it holds, and that still stands
    reading integer -- number of the reading in which its lines were read, from 1; null: not read
);

-- Lines that DuckDB read, in their order: one row per line that is not blank. What is not sound is no record, or none
-- that DuckDB can read. Ids, names and UTC offsets are hashed as they are written: few sets of them occur, and one line
-- of each says what they are.
create or replace temp table line (
    played_at timestamp, -- null: not sound
    duration_secs integer,
    place_hash ubigint, -- of zone and location, with their names, and of the UTC offset
    item_hash ubigint -- of item and artist, with their names
);

-- Which rows of temp.line are a piece's, by their number from $first_row on: one for each 64 rows it has a part in.
create or replace temp table row_block (
    block bigint not null, -- a row's number // 64
    from_row bigint not null,
    to_row bigint not null, -- inclusive
    place integer not null,
    piece_id bigint not null,
    load_id bigint not null
);

-- Lines that are looked up in the landing.
create or replace temp table wanted_line (
    line_row bigint not null -- its number from $first_row on
);

-- The records that it found in them, written anew so that DuckDB can read them.
create or replace temp table judged_line (
    line_row bigint not null,
    line varchar not null
);

-- Lines that are no records, of pieces that were read.
create or replace temp table reject (
    piece_id bigint not null,
    line_number bigint not null, -- of the piece, from 1
    reason varchar not null,
    line varchar not null,
    ahead_at timestamp -- its instant lies ahead: to be judged anew when its time has come
);

-- Keys of several lines that were read.
create or replace temp table repeated_key (
    zone_id bigint not null,
    item_id bigint not null,
    played_at timestamp not null
);

-- Their lines as one record each.
create or replace temp table merged_repeat (
    line_row bigint not null, -- of the first of them
    piece_id bigint not null,
    load_id bigint not null,
    zone_id bigint not null,
    item_id bigint not null,
    played_at timestamp not null,
    written_offset_minutes smallint not null,
    duration_secs integer not null,
    location_id bigint,
    artist_id bigint,
    is_contradictory boolean not null -- its lines differ
);

-- Records that core has, too. It may have as many rows as core.play, so it is narrow.
create or replace temp table matched (
    line_row bigint not null,
    piece_id integer not null,
    stored_row bigint not null, -- row id in core.play
    stored_piece_id integer,
    is_changed boolean, -- core has to say something else; until compare_plays ran: their hashes differ
    is_other boolean not null, -- it says, or may say, something else than the piece that shows the play
    is_shown boolean not null -- a known piece of the same landing shows the play: the record repeats it
);

-- Pieces that leave the ledger.
create or replace temp table forgotten_piece (
    piece_id bigint not null
);

-- How many lines of a piece repeat plays that another piece of the landing, or an earlier line of its own, shows.
create or replace temp table repeated_line (
    piece_id bigint not null,
    shown_by bigint not null, -- the other piece
    lines bigint not null
);

-- What pieces hold.
create or replace temp table piece_count (
    piece_id bigint not null,
    rejected bigint not null,
    records bigint not null, -- different plays, without those that another piece shows
    repeats bigint not null, -- other lines of records
    zero_second bigint not null -- of the records
);

-- Sets of ids and names, of places and of items, that sound lines have.
create or replace temp table line_set (
    is_place boolean not null, -- else of an item
    hash ubigint not null,
    line_row bigint not null, -- of the first line that has it
    first_at timestamp not null,
    last_at timestamp not null
);

-- One line of each set that was not named yet, as text.
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

-- What the sets are.
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

-- The zones of which an export shows plays.
create or replace temp table shown_zone (
    zone_id bigint not null,
    first_at timestamp not null, -- of its first record in the landing
    last_missing_at timestamp -- when the last play in core began that the landing lacks
);

-- The lines of $read_file as DuckDB reads them, every value as text: one row per line that is not blank, all null where
-- DuckDB refuses the line. Only the columns of the $kind are read.
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
    -- A landing is packed as gzip or not at all, whatever its name says, and what is packed is unpacked before.
    compression = 'uncompressed',
    -- What stands in a line counts, not a folder of its path that is called `duration_secs=5`.
    hive_partitioning = false,
    ignore_errors = true
);

-- The records that JavaScript found, as text.
create or replace temp view judged_text as
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
from temp.judged_line;

-- The lines that say what sets are.
create or replace temp view set_text as
select * exclude (line_row)
from temp.judged_text
union all by name
select *
from temp.sample_text;

-- Lines as text, typed as in temp.line: source is one of the relations above. Casts take more than the contract does
-- (12.5, 24:00), so seconds have to read the same when cast back, and instants to have the usual shape. Their UTC offset
-- belongs to a set, and is judged with it.
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

-- The sets that are not named yet.
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

-- Sound lines, with the piece that they are of; of a piece that occurs again those of the first time.
create or replace temp view record as
select
    l.rowid - getvariable('first_row') as line_row,
    b.piece_id,
    b.load_id,
    p.zone_id,
    i.item_id,
    l.played_at,
    p.written_offset_minutes,
    l.duration_secs,
    p.location_id,
    i.artist_id
from temp.line as l
inner join temp.row_block as b
    on b.block = (l.rowid - getvariable('first_row')) // 64
    and l.rowid - getvariable('first_row') between b.from_row and b.to_row
inner join temp.place as p on p.place_hash = l.place_hash
inner join temp.item as i on i.item_hash = l.item_hash
where l.played_at is not null;

-- The same, one per key.
create or replace temp view incoming as
select r.*
from temp.record as r
anti join temp.repeated_key as k on k.zone_id = r.zone_id and k.item_id = r.item_id and k.played_at = r.played_at
union all
select * exclude (is_contradictory)
from temp.merged_repeat;

-- Stand for what tells one play from another, and for all that is said of it. The values stand in another order, so that
-- two records with one key hash by chance still differ in the other one.
create or replace temp macro key_hash(zone_id, item_id, played_at) as hash(
    getvariable('hash_key'), zone_id, item_id, played_at
);

create or replace temp macro record_hash(
    zone_id, item_id, played_at, written_offset_minutes, duration_secs, location_id, artist_id
) as hash(
    getvariable('hash_key'), duration_secs, written_offset_minutes, location_id, artist_id, played_at, item_id, zone_id
);
