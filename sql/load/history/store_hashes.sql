-- Stores the hashes of lines whose values are exactly those of their play. Parameters: the first row of a range in
-- core.play, and the first row after it.
-- Reads: temp.matched, temp.row_hash
-- Leaves: core.play
update core.play
set line_hash = s.hash
from (
    -- Rows are ordered as in core.play, because updating scattered rows takes much longer.
    with shown as materialized (
        select
            m.stored_row,
            h.hash
        from temp.matched as m
        inner join temp.row_hash as h on h.line_row = m.line_row
        where m.is_exact and not m.is_shown and h.hash is not null and m.stored_row >= ? and m.stored_row < ?
        order by m.stored_row
    )

    select *
    from shown
) as s
where play.rowid = s.stored_row and play.line_hash is distinct from s.hash
