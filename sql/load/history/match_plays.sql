-- The records that core has, beside what it says: the longer one counts, and the later offset and location. Where a
-- known piece has records of zero seconds, core may have a longer one from before, so any may be another than core's.
-- Reads: $kind, core.piece, core.play, temp.incoming, temp.piece
-- Makes: temp.matched
insert into temp.matched
with known as (
    select
        piece_id,
        zero_second
    from core.piece
    where piece_id in (select piece_id from temp.piece where is_known)
)

select
    i.line_row,
    i.piece_id,
    i.load_id,
    p.rowid as stored_row,
    p.piece_id as stored_piece_id,
    i.written_offset_minutes <> p.written_offset_minutes
    or i.duration_secs > p.duration_secs
    or coalesce(i.location_id, p.location_id) is distinct from p.location_id
    or case
        when i.duration_secs < p.duration_secs then false
        when i.duration_secs = p.duration_secs
            then least(i.artist_id, p.artist_id) is distinct from p.artist_id
        else i.artist_id is distinct from p.artist_id
    end as is_changed,
    i.written_offset_minutes <> p.written_offset_minutes
    or i.duration_secs <> p.duration_secs
    or i.location_id is distinct from p.location_id
    or i.artist_id is distinct from p.artist_id
    or (i.duration_secs > 0 and coalesce(k.zero_second, 0) > 0) as is_other,
    k.piece_id is not null as is_shown
from temp.incoming as i
inner join core.play as p
    on p.kind = getvariable('kind')
    and p.zone_id = i.zone_id
    and p.item_id = i.item_id
    and p.played_at = i.played_at
left join known as k on k.piece_id = p.piece_id
