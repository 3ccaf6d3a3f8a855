-- Zones whose groups were asked for their devices, and when: of several groups the first of their newest listings. A device
-- that was seen then is listed; one that was seen before has left.
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
