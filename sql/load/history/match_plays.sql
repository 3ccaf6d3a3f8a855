-- Finds the records that core already has. Compares 64-bit hashes of the key and of the whole record instead of values,
-- which takes half the time. If both hashes are equal, core has exactly that record; compare_plays.sql checks records
-- for which only the key's hash is equal. If a known piece has records of zero seconds, it may contain a play that core
-- has with a longer duration from another load. So none of the piece's records is certain to equal the play in core.
-- Reads: $first_played_at, $kind, $last_played_at, core.piece, core.play, temp.incoming, temp.piece
-- Leaves: temp.matched
delete from temp.matched;

insert into temp.matched by name
with known as (
    select
        piece_id,
        zero_second
    from core.piece
    where piece_id in (select piece_id from temp.piece where is_known)
),

stored as (
    select
        rowid as stored_row,
        piece_id,
        key_hash(zone_id, item_id, played_at) as key_hash,
        record_hash(
            zone_id, item_id, played_at, written_offset_minutes, duration_secs, location_id, artist_id
        ) as record_hash
    from core.play
    where
        kind = getvariable('kind')
        and played_at between getvariable('first_played_at') and getvariable('last_played_at')
),

hashed as (
    select
        line_row,
        piece_id,
        duration_secs,
        key_hash(zone_id, item_id, played_at) as key_hash,
        record_hash(
            zone_id, item_id, played_at, written_offset_minutes, duration_secs, location_id, artist_id
        ) as record_hash
    from temp.incoming
)

select
    i.line_row,
    i.piece_id,
    s.stored_row,
    s.piece_id as stored_piece_id,
    i.record_hash <> s.record_hash as is_changed,
    i.record_hash <> s.record_hash or (i.duration_secs > 0 and coalesce(k.zero_second, 0) > 0) as is_other,
    k.piece_id is not null as is_shown
from hashed as i
inner join stored as s on s.key_hash = i.key_hash
left join known as k on k.piece_id = s.piece_id;
