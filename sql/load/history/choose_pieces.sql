-- Chooses the pieces to read next, and returns their places in no particular order.
-- Reads: $reading, core.piece_link, temp.matched, temp.piece
-- Leaves: temp.piece

-- A known piece must be read too if a line that was read contradicts one of its plays.
update temp.piece
set is_known = false
where is_known and piece_id in (select stored_piece_id from temp.matched where is_shown and is_other);

-- The ledger entries of two linked pieces are valid only together. So a known piece must also be read if the landing
-- lacks the other piece, or if the other piece is read.
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
    );

update temp.piece
set reading = getvariable('reading')
where not is_known and not is_repeat and reading is null
returning place;
