-- Enters the pieces that were read into the ledger.
-- Reads: $kind, $last_played_at, $read_by, temp.piece, temp.piece_count, temp.reject, temp.repeated_line
-- Leaves: core.piece, core.piece_link, core.piece_reject
insert into core.piece by name
select
    getvariable('kind') as kind,
    p.digest,
    p.bytes,
    p.lines,
    p.blank,
    c.*,
    getvariable('last_played_at') as last_played_at,
    (select min(r.ahead_at) from temp.reject as r where r.piece_id = p.piece_id) as ahead_at,
    getvariable('read_by') as read_by
from temp.piece as p
inner join temp.piece_count as c on c.piece_id = p.piece_id
where not p.is_known and not p.is_repeat;

insert into core.piece_link
select distinct
    piece_id,
    shown_by
from temp.repeated_line
where piece_id <> shown_by;

insert into core.piece_reject by name
select * exclude (ahead_at)
from temp.reject;
