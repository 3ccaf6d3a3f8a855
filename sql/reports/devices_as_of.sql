-- Freshness of devices: of the groups' newest devices listings, the oldest; and the newest response from the status
-- API.
--
-- For: uptime, outages, devices, silences
-- Reads: chosen_group_zone, fact_snapshot
-- Columns:
--   devices_as_of   Devices as of (instant): The oldest, over the groups, of the newest devices listing.
--   notices_as_of   Notices as of (instant): The newest response of the status API.

with newest as (
    select
        l.group_id,
        max(l.requested_at) as requested_at
    from fact_snapshot as l
    where
        l.source = 'devices'
        and l.group_id in (select group_id from chosen_group_zone)
    group by l.group_id
),

status_response as (
    select max(requested_at) as requested_at
    from fact_snapshot
    where source = 'notices'
)

select
    min(n.requested_at) as devices_as_of,
    min(s.requested_at) as notices_as_of
from newest as n
cross join status_response as s
