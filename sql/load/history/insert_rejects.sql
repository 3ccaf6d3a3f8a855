-- Lines that are no records, with their numbers in the landing: of pieces that were read, and of known ones.
-- Reads: core.piece_reject, temp.piece, temp.reject
-- Makes: core.reject
insert into core.reject
with known as (
    select * exclude (ahead_at)
    from temp.reject
    union all by name
    select *
    from core.piece_reject
    where piece_id in (select piece_id from temp.piece where is_known)
)

select
    p.load_id,
    p.lines_before + k.line_number as line_number,
    k.reason,
    k.line
from temp.piece as p
inner join known as k on k.piece_id = p.piece_id
