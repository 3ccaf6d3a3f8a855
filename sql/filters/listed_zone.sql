-- Zones whose groups' devices were listed, with the time: the earliest of the newest listings of several
-- groups. A device last seen then or later is listed; one last seen before has left.
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
