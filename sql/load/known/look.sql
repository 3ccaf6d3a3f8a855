-- One look at a landing whose plays may be known: which written dates of which zones hold the same lines as when
-- they were loaded last. Lines of recent dates are kept, because new plays are mostly there.
create or replace temp table seen_day as
with seen as (
    select
        zone_id,
        left(play_start, 10) as day,
        count(*) as lines,
        sum(
            line_hash(
                play_start,
                duration_secs,
                place_hash(zone_id, zone_name, location_id, location_name),
                item_hash(item_id, item_name, artist_id, artist_name)
            )
        ) as hash,
        list({
            zone_id: zone_id,
            item_id: item_id,
            play_start: play_start,
            duration_secs: duration_secs,
            location_id: location_id,
            artist_id: artist_id,
            zone_name: zone_name,
            location_name: location_name,
            item_name: item_name,
            artist_name: artist_name
        }) filter (
            where left(play_start, 10) between getvariable('kept_from') and getvariable('kept_to')
        ) as kept_lines
    from landing_text
    group by zone_id, left(play_start, 10)
)

select
    s.*,
    f.zone_id is not null as is_known,
    f.zone_id as known_zone_id,
    f.date as known_date
from seen as s
left join core.day_fingerprint as f
    on f.kind = getvariable('kind')
    and cast(f.zone_id as varchar) = s.zone_id
    and cast(f.date as varchar) = s.day
    and f.lines = s.lines
    and f.hash = s.hash
    and f.hashed_by = version()
    -- What is too far in the future hangs on when the landing was asked for.
    and f.date < cast(getvariable('latest_played_at') as date) - 1;
