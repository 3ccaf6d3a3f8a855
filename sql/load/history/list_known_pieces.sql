-- The key of digests; and the pieces in the ledger that need not be read again, as lines of digest and number of lines:
-- those that were read by the same rules, and say the same whenever the landing was asked for.
-- Reads: $kind, $latest_played_at, $read_by, $source, core.piece, core.piece_key
-- Makes: nothing
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
