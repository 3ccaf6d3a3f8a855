-- The landing's lines as DuckDB reads them, every value as text: one row per line that is not blank, all null where
-- DuckDB refuses the line.
create or replace temp view landing_text as
select
    zone_id,
    asset_id as item_id,
    play_start,
    duration_secs,
    location_id,
    cast(null as varchar) as artist_id,
    zone_name,
    location_name,
    asset_name as item_name,
    cast(null as varchar) as artist_name
from read_ndjson(
    getvariable('landing_file'),
    columns = {
        zone_id: 'varchar',
        asset_id: 'varchar',
        play_start: 'varchar',
        duration_secs: 'varchar',
        location_id: 'varchar',
        zone_name: 'varchar',
        location_name: 'varchar',
        asset_name: 'varchar'
    },
    ignore_errors = true
)
