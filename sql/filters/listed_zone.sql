-- One row per zone whose groups' devices were listed, with the time of the newest listing; for a zone in several
-- groups, the earliest of these times. A device last seen at that time or later is listed; one last seen before has
-- left.
--
-- Reads: bridge_group_zone, fact_snapshot

select
    b.zone_id,
    min(n.requested_at) as requested_at
from bridge_group_zone as b
inner join (
    select
        group_id,
        max(requested_at) as requested_at
    from fact_snapshot
    where source = 'devices'
    group by group_id
) as n on n.group_id = b.group_id
group by b.zone_id
