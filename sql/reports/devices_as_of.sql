-- As of when what is said of devices is: the oldest, over the groups, of the newest listing of devices; and the newest
-- answer of the status API.
--
-- For: uptime, outages, devices
-- Reads: bridge_group_zone, fact_snapshot
-- Columns:
--   devices_as_of   Devices as of (instant): The oldest, over the groups, of the newest listing of devices.
--   notices_as_of   Notices as of (instant): The newest answer of the status API.

with p as (
    select cast(? as varchar) as group_ids -- such as `,3,14,`; empty means all
),

newest as (
    select
        l.group_id,
        max(l.requested_at) as requested_at
    from p
    cross join fact_snapshot as l
    where
        l.source = 'devices'
        and l.group_id in (select group_id from bridge_group_zone)
        and (p.group_ids = '' or position(',' || cast(l.group_id as varchar) || ',' in p.group_ids) > 0)
    group by l.group_id
),

noticed as (
    select max(requested_at) as requested_at
    from fact_snapshot
    where source = 'notices'
)

select
    min(n.requested_at) as devices_as_of,
    min(s.requested_at) as notices_as_of
from newest as n
cross join noticed as s
