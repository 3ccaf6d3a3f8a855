-- The newest load of each source, of the kinds and groups that were asked for: an export holds the whole history, so
-- older loads of the same source say the same again. Every file that was loaded by hand counts.
--
-- Reads: chosen_group_zone, fact_load, p

select *
from (
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
) as ordered
where age = 1
