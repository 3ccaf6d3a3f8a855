-- Accounts for every line: stores rejected lines, and enters one row per landing into the ledger. The parameter is the
-- number of plays in core that a complete export lacks.
-- Reads: $group_id, $kind, $load_id, $requested_at, $source, core.piece, core.piece_reject, core.play, temp.incoming,
--   temp.landing, temp.matched, temp.piece, temp.reject, temp.repeated_line, temp.shown_zone
-- Leaves: core.load, core.reject, temp.piece_count, temp.sighting

-- Counts per piece, from the ledger for known pieces and from the lines for pieces that were read.
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

-- Converts line numbers in a piece to line numbers in the landing.
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
inner join known as k on k.piece_id = p.piece_id;

-- Zones in a group's export belong to that group.
insert into temp.sighting
select
    zone_id,
    getvariable('group_id') as group_id,
    getvariable('source') as source,
    getvariable('kind') as kind,
    getvariable('requested_at') as seen_at
from temp.shown_zone;

-- Counts new plays in core itself. The caller checks that all counts add up to the number of lines, which verifies the
-- other counts.
insert into core.load by name
with counted_piece as (
    select
        p.load_id,
        sum(p.lines) as lines,
        sum(p.blank) as blank,
        sum(c.rejected) as rejected,
        sum(case when p.is_repeat then c.records + c.repeats else c.repeats end) as duplicate,
        sum(case when p.is_known and not p.is_repeat then c.records else 0 end) as known_records,
        sum(case when p.is_repeat then 0 else c.zero_second end) as zero_second
    from temp.piece as p
    inner join temp.piece_count as c on c.piece_id = p.piece_id
    group by p.load_id
),

fresh as (
    select
        first_load_id as load_id,
        count(*) as plays
    from core.play
    where first_load_id >= getvariable('load_id')
    group by first_load_id
),

stored as (
    select
        p.load_id,
        count(*) filter (where m.is_changed) as changed,
        count(*) filter (where not m.is_changed) as unchanged
    from temp.matched as m
    inner join temp.piece as p on p.piece_id = m.piece_id and not p.is_repeat
    where not m.is_shown
    group by p.load_id
)

select
    l.* exclude (latest_played_at),
    getvariable('source') as source,
    getvariable('kind') as kind,
    getvariable('group_id') as group_id,
    coalesce(p.lines, 0) as lines,
    coalesce(f.plays, 0) as new_plays,
    coalesce(s.changed, 0) as changed,
    coalesce(p.known_records, 0) + coalesce(s.unchanged, 0) as unchanged,
    coalesce(p.duplicate, 0) as duplicate,
    coalesce(p.rejected, 0) as rejected,
    coalesce(p.blank, 0) as blank,
    coalesce(p.zero_second, 0) as zero_second,
    cast(? as bigint) as vanished
from temp.landing as l
left join counted_piece as p on p.load_id = l.load_id
left join fresh as f on f.load_id = l.load_id
left join stored as s on s.load_id = l.load_id;
