-- Lines that are no records, with their numbers in the landing: of pieces that were read, and of known ones.
-- Reads: core.piece_reject, temp.piece, temp.reject
-- Makes: core.reject
insert into core.reject
with known as (
    select
        piece_id,
        line_number,
        reason,
        line
    from temp.reject
    union all
    select
        r.piece_id,
        r.line_number,
        r.reason,
        r.line
    from core.piece_reject as r
    semi join (select piece_id from temp.piece where is_known) as p on p.piece_id = r.piece_id
)

select
    p.load_id,
    p.lines_before + k.line_number as line_number,
    k.reason,
    k.line
from temp.piece as p
inner join known as k on k.piece_id = p.piece_id
