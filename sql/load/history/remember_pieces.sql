-- The pieces that were read, into the ledger.
-- Reads: $kind, $last_played_at, $read_by, temp.piece, temp.piece_count, temp.reject, temp.repeated_line
-- Makes: core.piece, core.piece_link, core.piece_reject
insert into core.piece by name
with ahead as (
    select
        piece_id,
        min(ahead_at) as ahead_at
    from temp.reject
    group by piece_id
)

select
    p.piece_id,
    getvariable('kind') as kind,
    p.digest,
    p.bytes,
    p.lines,
    p.blank,
    c.rejected,
    c.records,
    c.repeats,
    c.zero_second,
    getvariable('last_played_at') as last_played_at,
    a.ahead_at,
    getvariable('read_by') as read_by
from temp.piece as p
inner join temp.piece_count as c on c.piece_id = p.piece_id
left join ahead as a on a.piece_id = p.piece_id
where not p.is_known and not p.is_repeat;

insert into core.piece_link
select distinct
    piece_id,
    shown_by
from temp.repeated_line
where piece_id <> shown_by;

insert into core.piece_reject
select
    piece_id,
    line_number,
    reason,
    line
from temp.reject;
