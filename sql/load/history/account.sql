-- Accounts for every line: stores rejected lines, and enters one row per landing into the ledger. The parameter is the
-- number of plays in core that are missing from a complete export.
-- Reads: $group_id, $kind, $load_id, $requested_at, $skips_known, $source, core.play, temp.incoming, temp.landing,
--   temp.landing_lines, temp.line, temp.matched, temp.merged_repeat, temp.reject, temp.shown_zone, temp.stored_play
-- Leaves: core.load, core.reject, temp.sighting
insert into core.reject
select
    load_id,
    line_number,
    reason,
    line
from temp.reject;

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
with fresh as (
    select
        first_load_id as load_id,
        count(*) as plays
    from core.play
    where first_load_id >= getvariable('load_id')
    group by first_load_id
),

stored as (
    select
        load_id,
        count(*) filter (where is_changed) as changed,
        count(*) filter (where not is_changed and not is_shown) as unchanged,
        count(*) filter (where is_changed and is_shown) as shown_changed
    from temp.matched
    group by load_id
),

-- Excludes records that only repeat a known play.
zero_second as (
    select
        i.load_id,
        count(*) as records
    from temp.incoming as i
    anti join temp.matched as m on m.line_row = i.line_row and m.is_shown and not m.is_changed
    where i.duration_secs = 0
    group by i.load_id
),

repeated as (
    select
        load_id,
        sum(repeats) as lines
    from temp.merged_repeat
    group by load_id
),

rejected as (
    select
        load_id,
        count(*) as lines
    from temp.reject
    group by load_id
),

-- Known plays that did not change; those that changed have lost their hash.
known as (
    select
        getvariable('load_id') as load_id,
        count(*) as plays,
        count(*) filter (where duration_secs = 0) as zero_second
    from temp.stored_play
    where is_known and first_load_id < getvariable('load_id')
)

select
    l.* exclude (latest_played_at),
    getvariable('source') as source,
    getvariable('kind') as kind,
    getvariable('group_id') as group_id,
    n.lines,
    coalesce(f.plays, 0) as new_plays,
    coalesce(s.changed, 0) as changed,
    coalesce(s.unchanged, 0) + coalesce(k.plays, 0) as unchanged,
    coalesce(r.lines, 0)
    + case
        when getvariable('skips_known')
            then
                n.lines - n.blank - (select count(*) from temp.line)
                - k.plays - coalesce(s.shown_changed, 0)
        else 0
    end as duplicate,
    coalesce(j.lines, 0) as rejected,
    n.blank,
    coalesce(z.records, 0) + coalesce(k.zero_second, 0) as zero_second,
    cast(? as bigint) as vanished
from temp.landing as l
inner join temp.landing_lines as n on n.load_id = l.load_id
left join fresh as f on f.load_id = l.load_id
left join stored as s on s.load_id = l.load_id
left join zero_second as z on z.load_id = l.load_id
left join repeated as r on r.load_id = l.load_id
left join rejected as j on j.load_id = l.load_id
left join known as k on k.load_id = l.load_id;
