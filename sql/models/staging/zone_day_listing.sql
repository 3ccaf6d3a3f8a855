-- Which listings of campaigns count on a zone's local day.
--
-- Grain: kind, zone_id, date, owner_kind, owner_id
-- Reads: core.campaign_listing, staging.zone_day_state, staging.zone_listing
-- Built: view
-- Columns:
--   kind            signage or messaging.
--   zone_id         The zone.
--   date            Local day.
--   start_at        Instant at which it began, in UTC.
--   end_at          Instant at which it ended, or will end.
--   owner_kind      Whose listing decides: zone or group.
--   owner_id        That zone or group.
--   after_at        Instant of the owner's first listing after the day; null: none yet.
--   is_assumed      The zone had no listing of its own when the day began.
--   settled_until   Days that ended by this instant are settled; null: none.

select
    l.kind,
    l.zone_id,
    d.date,
    d.start_at,
    d.end_at,
    l.owner_kind,
    l.owner_id,
    a.requested_at as after_at,
    l.owner_kind = 'group' or d.start_at < l.first_at as is_assumed,
    l.settled_until
from staging.zone_listing as l
inner join staging.zone_day_state as d on d.zone_id = l.zone_id
left join core.campaign_listing as a
    on a.kind = l.kind
    and a.owner_kind = l.owner_kind
    and a.owner_id = l.owner_id
    and a.is_valid
    and a.requested_at >= d.end_at
    and (a.previous_at is null or a.previous_at < d.end_at)
