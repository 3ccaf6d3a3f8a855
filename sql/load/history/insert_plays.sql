-- Records that core lacks, with the local time in force.
-- Reads: $kind, $source, core.zone_time_zone, temp.incoming, temp.matched
-- Makes: core.play
insert into core.play by name
with fresh as (
    select
        i.*,
        local_time(i.played_at, i.written_offset_minutes, t.time_zone) as played_at_local
    from temp.incoming as i
    left join core.zone_time_zone as t on t.zone_id = i.zone_id
    anti join temp.matched as m on m.line_row = i.line_row
)

select
    getvariable('kind') as kind,
    zone_id,
    item_id,
    played_at,
    played_at_local,
    cast((epoch_us(played_at_local) - epoch_us(played_at)) // 60000000 as smallint) as utc_offset_minutes,
    written_offset_minutes,
    cast(played_at_local as date) as date,
    duration_secs,
    location_id,
    artist_id,
    load_id as first_load_id,
    load_id as last_load_id,
    case when getvariable('source') <> 'walk' then piece_id end as piece_id
from fresh
