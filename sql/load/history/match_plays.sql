-- Finds the records that core already has. Compares 64-bit hashes of the key and of the whole record, which takes half
-- as long as comparing values. If both hashes are equal, core has exactly that record; compare_plays.sql checks records
-- for which only the key's hash is equal.
-- Reads: $first_played_at, $last_played_at, temp.incoming, temp.stored_play
-- Leaves: temp.matched
delete from temp.matched;

insert into temp.matched by name
with stored as (
    select
        stored_row,
        is_known,
        key_hash(zone_id, item_id, played_at) as key_hash,
        record_hash(
            zone_id, item_id, played_at, written_offset_minutes, duration_secs, location_id, artist_id
        ) as record_hash
    from temp.stored_play
    where played_at between getvariable('first_played_at') and getvariable('last_played_at')
),

hashed as (
    select
        line_row,
        load_id,
        is_exact,
        key_hash(zone_id, item_id, played_at) as key_hash,
        record_hash(
            zone_id, item_id, played_at, written_offset_minutes, duration_secs, location_id, artist_id
        ) as record_hash
    from temp.incoming
)

select
    i.line_row,
    i.load_id,
    s.stored_row,
    i.record_hash <> s.record_hash as is_changed,
    i.is_exact and i.record_hash = s.record_hash as is_exact,
    s.is_known as is_shown
from hashed as i
inner join stored as s on s.key_hash = i.key_hash;
