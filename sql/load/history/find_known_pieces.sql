-- Looks up each piece of the landings in the ledger, and assigns ids to new pieces. Walks do not use the ledger.
-- Reads: $kind, $source, core.piece, temp.cut_piece
-- Leaves: temp.piece
insert into temp.piece
with stored as (
    select *
    from core.piece
    where kind = getvariable('kind') and getvariable('source') <> 'walk'
),

fresh as (
    select
        digest,
        nextval('core.piece_id') as piece_id
    from (
        select
            c.digest,
            min(c.place) as place
        from temp.cut_piece as c
        anti join stored as s on s.digest = c.digest
        group by c.digest
        order by place
    )
)

select
    c.place,
    c.load_id,
    c.digest,
    c.bytes,
    c.lines,
    coalesce(s.blank, c.blank) as blank,
    sum(c.lines) over (partition by c.load_id order by c.place) - c.lines as lines_before,
    coalesce(s.piece_id, f.piece_id) as piece_id,
    row_number() over (partition by c.digest order by c.place) > 1 as is_repeat,
    c.is_known,
    cast(null as integer) as reading
from temp.cut_piece as c
left join stored as s on s.digest = c.digest
left join fresh as f on f.digest = c.digest
