-- Plays that the ledger says a piece shows, and that it does not show when it is read again: this landing was asked for
-- earlier than the one before, so they lie ahead.
-- Reads: $kind, core.piece, temp.cut_piece, temp.matched
-- Makes: core.play
update core.play
set piece_id = null
where
    piece_id in (
        select s.piece_id
        from core.piece as s
        semi join (select digest from temp.cut_piece where not is_known) as c on c.digest = s.digest
        where s.kind = getvariable('kind')
    )
    and rowid not in (select stored_row from temp.matched)
