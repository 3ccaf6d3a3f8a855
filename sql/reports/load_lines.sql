-- What became of the lines of the newest load of each source, summed per kind: one row per kind that has any. An export
-- holds the whole history, so older loads of the same source say the same again and are left out; every file that was
-- loaded by hand counts.
--
-- For: quality
-- Reads: chosen_group_zone, fact_load, p
-- Columns:
--   kind         = dim_kind.kind
--   loads        Loads (count): The newest load of each source, and every file that was loaded by hand.
--   lines        = fact_load.lines: Lines of the newest load of each source. Note: Each is accounted for: new, changed,
--                unchanged, duplicate, rejected or blank.
--   new_plays    = fact_load.new_plays
--   changed      = fact_load.changed
--   unchanged    = fact_load.unchanged
--   duplicates   = fact_load.duplicate
--   rejected     = fact_load.rejected
--   blank        = fact_load.blank
--   vanished     = fact_load.vanished

with ordered as (
    select
        l.*,
        row_number() over (
            partition by
                l.source, l.kind, l.group_id, l.zone_id,
                case when l.source not in ('export', 'walk') then l.load_id end
            order by l.requested_at desc, l.load_id desc
        ) as age
    from p
    cross join fact_load as l
    where
        (p.kinds = '' or position(',' || l.kind || ',' in p.kinds) > 0)
        and (
            p.group_ids = ''
            or position(',' || cast(l.group_id as varchar) || ',' in p.group_ids) > 0
            or l.zone_id in (select zone_id from chosen_group_zone)
        )
)

select
    kind,
    count(*) as loads,
    cast(sum(lines) as bigint) as lines,
    cast(sum(new_plays) as bigint) as new_plays,
    cast(sum(changed) as bigint) as changed,
    cast(sum(unchanged) as bigint) as unchanged,
    cast(sum(duplicate) as bigint) as duplicates,
    cast(sum(rejected) as bigint) as rejected,
    cast(sum(blank) as bigint) as blank,
    cast(sum(vanished) as bigint) as vanished
from ordered
where age = 1
group by kind
order by kind
