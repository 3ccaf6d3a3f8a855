-- The lines that repeat a play which another line of the landing shows: one of a known piece, else the first one that
-- was read. Where lines of two pieces disagree, each is known only beside the other.
-- Reads: temp.matched, temp.merged_repeat, temp.record
-- Makes: temp.repeated_line
insert into temp.repeated_line
with shown as (
    select
        r.*,
        case when m.is_shown then m.stored_piece_id else r.piece_id end as shown_by,
        coalesce(m.is_shown, false) as is_shown_by_known
    from temp.merged_repeat as r
    left join temp.matched as m on m.line_row = r.line_row
),

repeating as (
    select
        r.piece_id,
        s.shown_by,
        s.is_contradictory and not s.is_shown_by_known as is_mutual,
        s.is_shown_by_known or r.line_row <> s.line_row as is_repeat
    from temp.record as r
    inner join shown as s on s.zone_id = r.zone_id and s.item_id = r.item_id and s.played_at = r.played_at
    union all
    select
        m.piece_id,
        m.stored_piece_id as shown_by,
        false as is_mutual,
        true as is_repeat
    from temp.matched as m
    anti join temp.merged_repeat as r on r.line_row = m.line_row
    where m.is_shown
)

select
    piece_id,
    shown_by,
    count(*) as lines
from repeating
where is_repeat
group by piece_id, shown_by
union all
select distinct
    shown_by as piece_id,
    piece_id as shown_by,
    0 as lines
from repeating
where is_mutual and piece_id <> shown_by
