-- The plays that a complete export lacks, though they are later than the first record that it holds of their zone.
-- Reads: $kind, core.play, temp.matched, temp.piece, temp.shown_zone
-- Makes: nothing
with missed_zone as (
    select *
    from temp.shown_zone
    where last_missing_at > first_at
)

select count(*) as vanished
from core.play as p
inner join missed_zone as z on z.zone_id = p.zone_id and p.played_at > z.first_at and p.played_at <= z.last_missing_at
anti join (select distinct piece_id from temp.piece where is_known) as k on k.piece_id = p.piece_id
anti join temp.matched as m on m.stored_row = p.rowid
where p.kind = getvariable('kind') and p.duration_secs > 0
