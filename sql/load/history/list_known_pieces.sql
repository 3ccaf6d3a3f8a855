-- The key for digests, and the known pieces that do not need to be read again, as a string with one line "digest lines"
-- per piece. Excludes pieces that were read with other rules, and pieces whose lines would be judged differently at
-- this request time.
-- Reads: $kind, $latest_played_at, $read_by, $source, core.piece, core.piece_key
-- Leaves: nothing
select
    (select key from core.piece_key) as key,
    coalesce(string_agg(digest || ' ' || lines, chr(10)), '') as known
from core.piece
where
    kind = getvariable('kind')
    and getvariable('source') <> 'walk'
    and read_by = getvariable('read_by')
    and (last_played_at is null or last_played_at <= getvariable('latest_played_at'))
    and (ahead_at is null or ahead_at > getvariable('latest_played_at'))
