-- The landings, into the ledger of loads, with what became of their lines. New plays are counted in core: that all adds
-- up proves the rest. The parameter is how many plays an export lacks.
-- Reads: $group_id, $kind, $load_id, $source, core.play, temp.landing, temp.matched, temp.piece, temp.piece_count
-- Makes: core.load
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
left join stored as s on s.load_id = l.load_id
