-- What each piece of the landing holds: as the ledger says, or as it was read.
-- Reads: core.piece, temp.incoming, temp.matched, temp.piece, temp.reject, temp.repeated_line
-- Makes: temp.piece_count
insert into temp.piece_count
with rejected as (
    select
        piece_id,
        count(*) as lines
    from temp.reject
    group by piece_id
),

repeated as (
    select
        piece_id,
        sum(lines) as lines
    from temp.repeated_line
    group by piece_id
),

zero_second as (
    select
        i.piece_id,
        count(*) as records
    from temp.incoming as i
    anti join (select line_row from temp.matched where is_shown) as m on m.line_row = i.line_row
    where i.duration_secs = 0
    group by i.piece_id
)

select
    p.piece_id,
    coalesce(j.lines, 0) as rejected,
    p.lines - p.blank - coalesce(j.lines, 0) - coalesce(r.lines, 0) as records,
    coalesce(r.lines, 0) as repeats,
    coalesce(z.records, 0) as zero_second
from temp.piece as p
left join rejected as j on j.piece_id = p.piece_id
left join repeated as r on r.piece_id = p.piece_id
left join zero_second as z on z.piece_id = p.piece_id
where not p.is_known and not p.is_repeat
union all
select
    s.piece_id,
    s.rejected,
    s.records,
    s.repeats,
    s.zero_second
from core.piece as s
semi join (select piece_id from temp.piece where is_known) as p on p.piece_id = s.piece_id;
