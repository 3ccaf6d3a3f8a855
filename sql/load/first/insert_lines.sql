-- All lines, in the order of the file, so that a row's id tells its line. Those that are no records have zone -1.
insert into core.play
select
    getvariable('kind') as kind,
    coalesce(case when is_plausible then zone end, -1) as zone_id,
    coalesce(item, -1) as item_id,
    coalesce(make_timestamp(played_at_us), timestamp '1970-01-01') as played_at,
    coalesce(at_local, timestamp '1970-01-01') as played_at_local,
    coalesce((epoch_us(at_local) - played_at_us) // 60000000, 0) as utc_offset_minutes,
    coalesce((epoch_us(written_at_local) - played_at_us) // 60000000, 0) as written_offset_minutes,
    coalesce(cast(at_local as date), date '1970-01-01') as date,
    coalesce(seconds, 0) as duration_secs,
    location as location_id,
    artist as artist_id,
    getvariable('load_id') as first_load_id,
    getvariable('load_id') as last_load_id,
    line_hash(play_start, duration_secs, place_hash, item_hash) as line_hash,
    place_hash,
    item_hash
from (
    select
        *,
        place_hash(zone_id, zone_name, location_id, location_name) as place_hash,
        item_hash(item_id, item_name, artist_id, artist_name) as item_hash,
        -- Looked up and not joined: a join would lose the order.
        case
            when not getvariable('has_named_zones') then written_at_local
            when getvariable('named_zones')[zone % 1024 + 1][zone] is null then written_at_local
            else timezone(
                getvariable('named_zones')[zone % 1024 + 1][zone],
                make_timestamptz(played_at_us)
            )
        end as at_local
    from typed_line('landing_text')
)
