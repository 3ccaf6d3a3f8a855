-- Known pieces that have to be read after all: what the ledger says of them holds only beside another piece, which the
-- landing lacks, or which is read itself; and so on.
-- Reads: core.piece_link, temp.piece
-- Makes: temp.piece
update temp.piece
set is_known = false
where
    is_known
    and piece_id in (
        with recursive unheld as (
            select l.piece_id
            from core.piece_link as l
            semi join (select piece_id from temp.piece where is_known) as p on p.piece_id = l.piece_id
            anti join (select piece_id from temp.piece where is_known) as s on s.piece_id = l.shown_by
            union
            select l.piece_id
            from core.piece_link as l
            inner join unheld as u on u.piece_id = l.shown_by
        )

        select piece_id
        from unheld
    )
