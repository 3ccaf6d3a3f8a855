-- The landing's lines as DuckDB reads them, every value as text: one row per line that is not blank, all null where
-- DuckDB refuses the line. The buffers are twice the usual size: rows that keep the order of the file are then stored in
-- fewer, larger pieces, which is quicker.
create or replace temp view landing_text as
select
    zone_id,
    song_id as item_id,
    play_start,
    duration_secs,
    location_id,
    artist_id,
    zone_name,
    location_name,
    song_name as item_name,
    artist_name
from read_ndjson(
    getvariable('landing_file'),
    columns = {
        zone_id: 'varchar',
        song_id: 'varchar',
        play_start: 'varchar',
        duration_secs: 'varchar',
        location_id: 'varchar',
        artist_id: 'varchar',
        zone_name: 'varchar',
        location_name: 'varchar',
        song_name: 'varchar',
        artist_name: 'varchar'
    },
    ignore_errors = true,
    maximum_object_size = 33554432
);

-- Lines that JavaScript picked out of the landing, by their place among those that are not blank.
create or replace temp table picked_line (
    ordinal bigint not null,
    line varchar not null
);

create or replace temp view picked_text as
select
    ordinal,
    field.zone_id,
    field.song_id as item_id,
    field.location_id,
    field.artist_id,
    field.zone_name,
    field.location_name,
    field.song_name as item_name,
    field.artist_name
from (
    select
        ordinal,
        json_transform(
            line,
            '{"zone_id": "varchar", "song_id": "varchar", "location_id": "varchar", "artist_id": "varchar", "zone_name": "varchar",
              "location_name": "varchar", "song_name": "varchar", "artist_name": "varchar"}'
        ) as field
    from picked_line
)
