-- One row per kind, zone, local day and owner of campaign listings that apply to the zone: the start and end of the
-- day, the first listing after it, and the conditions that decide the state of campaigns without plays.
--
-- Grain: kind, zone_id, date, owner_kind, owner_id
-- Reads: core.campaign_listing, core.zone_kind, mart.bridge_zone_listing, staging.zone_day_state
-- Built: day of campaigns
-- Published: by month, ordered by zone_id, date, kind, owner_kind, owner_id
-- Columns:
--   kind                = bridge_zone_listing.kind
--   zone_id             = dim_zone.zone_id: The zone.
--   date                = dim_date.date: Local day of the zone.
--   owner_kind          = bridge_zone_listing.owner_kind
--   owner_id            = bridge_zone_listing.owner_id
--   start_at            = fact_zone_uptime.start_at
--   end_at              = fact_zone_uptime.end_at
--   after_at            Listing after (instant): Instant of the owner's first listing after the day, in UTC; null: none
--                       yet.
--   is_assumed          = fact_campaign_zone_day.is_assumed: The zone had no listing of its own when the day began.
--   has_plays           Has plays (yes or no): Whether anything of any kind played in the zone.
--   is_closed           Closed (yes or no): Nothing played, and the zone has no opening hours on the day. Note: If
--                       no hours are given, the zone is closed on weekdays on which nothing played in the four weeks
--                       before and after, provided that it played on other days.
--   is_closed_by_hours  Closed by hours (yes or no): Closed, by hours in reference/opening_hours.csv.
--   has_kind            Has the kind (yes or no): Whether the zone plays the kind on the day according to
--                       reference/zone_kinds.csv, or has no line there. Note: If not, no campaign is scheduled.
--   is_up               Up (yes or no): Whether a device is known to have been up at some time of the day.
--   is_down             Down (yes or no): Whether a device is known to have been down at some time of the day.

with given_zone as (
    select distinct zone_id
    from core.zone_kind
)

select
    l.kind,
    l.zone_id,
    d.date,
    l.owner_kind,
    l.owner_id,
    d.start_at,
    d.end_at,
    a.requested_at as after_at,
    l.owner_kind = 'group' or d.start_at < l.first_at as is_assumed,
    d.has_plays,
    d.is_closed,
    d.is_closed_by_hours,
    g.zone_id is null or k.zone_id is not null as has_kind,
    d.is_up,
    d.is_down
from mart.bridge_zone_listing as l
inner join staging.zone_day_state as d on d.zone_id = l.zone_id
left join given_zone as g on g.zone_id = l.zone_id
left join core.zone_kind as k
    on k.zone_id = l.zone_id and k.kind = l.kind and d.date between k.valid_from and k.valid_to
left join core.campaign_listing as a
    on a.kind = l.kind
    and a.owner_kind = l.owner_kind
    and a.owner_id = l.owner_id
    and a.is_valid
    and a.requested_at >= d.end_at
    and coalesce(a.previous_at, timestamp '1970-01-01 00:00:00') < d.end_at
