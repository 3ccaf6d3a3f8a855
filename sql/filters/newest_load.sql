-- The newest chosen load of each source, because an export holds the whole history, so older loads from the same source
-- repeat it. Every manually loaded file counts.
--
-- Reads: chosen_load

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
    from chosen_load as l
) as ordered
where age = 1
