-- The zones of which an export shows plays, and the newest play of each that core has and the export lacks. An export
-- shows the plays of its known pieces and of the lines that were read. Plays that began after it was asked for it need not
-- hold: those of a zone of several groups, or of a walk, may be loaded before it.
-- Reads: $kind, $requested_at, core.play, temp.line_set, temp.matched, temp.piece, temp.place
-- Makes: temp.shown_zone
insert into temp.shown_zone
with known as (
    select distinct piece_id
    from temp.piece
    where is_known
),

stored as (
    select
        p.zone_id,
        min(p.played_at) filter (where k.piece_id is not null) as first_at,
        max(p.played_at) filter (
            where
                k.piece_id is null
                and m.stored_row is null
                and p.duration_secs > 0
                and p.played_at <= getvariable('requested_at')
        ) as last_missing_at
    from core.play as p
    left join known as k on k.piece_id = p.piece_id
    left join temp.matched as m on m.stored_row = p.rowid
    where p.kind = getvariable('kind')
    group by p.zone_id
),

fresh as (
    select
        p.zone_id,
        min(s.first_at) as first_at
    from temp.place as p
    inner join temp.line_set as s on s.is_place and s.hash = p.place_hash
    group by p.zone_id
)

select
    coalesce(f.zone_id, s.zone_id) as zone_id,
    least(f.first_at, s.first_at) as first_at,
    s.last_missing_at
from fresh as f
full join stored as s on s.zone_id = f.zone_id
where f.zone_id is not null or s.first_at is not null
