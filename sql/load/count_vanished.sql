-- The plays among the records that a complete landing lacks: those of zero seconds are none. Reads the landing again.
with landed as (
    select zone_id, item_id, played_at
    from sound_record('landing_text')
    union all
    select zone_id, item_id, played_at
    from sound_record('mended_text')
)

select count(*) as vanished
from core.play as p
inner join seen_zone as z on z.zone_id = p.zone_id and p.played_at > z.first_at
anti join landed as l on l.zone_id = p.zone_id and l.item_id = p.item_id and l.played_at = p.played_at
where p.kind = getvariable('kind') and p.duration_secs > 0
