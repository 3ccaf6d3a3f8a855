-- Pieces that leave the ledger: those that were read (they enter anew), and those of which a play was changed or is now
-- shown by another piece. With them go those that are known only beside one of them.
-- Reads: $source, core.piece_link, temp.forgotten_piece, temp.matched, temp.piece
-- Makes: core.piece, core.piece_link, core.piece_reject, temp.forgotten_piece
insert into temp.forgotten_piece
select piece_id
from temp.piece
where not is_known
union
select stored_piece_id as piece_id
from temp.matched
where
    not is_shown
    and stored_piece_id is not null
    and (is_changed or (getvariable('source') <> 'walk' and stored_piece_id <> piece_id));

insert into temp.forgotten_piece
select distinct piece_id
from core.piece_link
where shown_by in (select piece_id from temp.forgotten_piece);

delete from core.piece
where piece_id in (select piece_id from temp.forgotten_piece);

delete from core.piece_link
where piece_id in (select piece_id from temp.forgotten_piece);

delete from core.piece_reject
where piece_id in (select piece_id from temp.forgotten_piece);
