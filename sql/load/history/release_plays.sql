-- Plays that the ledger says a piece shows, and that it does not show when it is read again: this landing was asked for
-- earlier than the one before, so they lie ahead. They are few or none, so they are found before temp.matched is asked.
-- Reads: $kind, core.piece, core.play, temp.cut_piece, temp.matched
-- Makes: core.play
update core.play
set piece_id = null
from (
    select p.rowid as stored_row
    from core.play as p
    semi join (
        select s.piece_id
        from core.piece as s
        semi join (select digest from temp.cut_piece where not is_known) as c on c.digest = s.digest
        where s.kind = getvariable('kind')
    ) as r on r.piece_id = p.piece_id
    anti join temp.matched as m on m.stored_row = p.rowid
) as released
where play.rowid = released.stored_row
