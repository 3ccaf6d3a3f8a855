-- One row per kind, zone, local day, listing owner, campaign and span of the listing: whether the campaign was listed
-- at the start of the day, during it, and in the first listing after it.
--
-- Grain: kind, zone_id, date, owner_kind, owner_id, campaign_key, from_at
-- Reads: mart.fact_listed_campaign, mart.fact_rule_date, mart.fact_rule_ended_day, mart.fact_zone_day_listing
-- Built: view
-- Columns:
--   kind           signage or messaging.
--   zone_id        The zone.
--   date           Local day.
--   owner_kind     Owner of the listing: zone or group.
--   owner_id       The owner's number.
--   campaign_key   The campaign (dim_campaign).
--   rule_id        The campaign's rule; null: none.
--   from_at        Instant from which the listed data applies.
--   is_at_start    Listed at the start of the day.
--   is_in_day      Listed at some time of the day.
--   is_after       Listed in the first listing after the day; null: there is none yet.
--   is_fit         With this data, the campaign should run on the day if an asset is active: the zone plays its kind,
--                  it is enabled, within its dates, and its rule has an occurrence.
--   is_over        The first listing after the day is later than the campaign's last date.

-- A date replaces open ends in the join, because an `or` would make DuckDB join each day with all earlier spans.
select
    z.kind,
    z.zone_id,
    z.date,
    z.owner_kind,
    z.owner_id,
    s.campaign_key,
    s.rule_id,
    s.from_at,
    s.from_at <= z.start_at and (s.until_at is null or s.until_at > z.start_at) as is_at_start,
    s.from_at < z.end_at and (s.until_at is null or s.until_at > z.start_at) as is_in_day,
    s.from_at <= z.after_at and (s.until_at is null or s.until_at > z.after_at) as is_after,
    z.has_kind
    and s.is_enabled
    and s.record_error is null
    and (s.start_date is null or s.start_date <= z.date)
    and (s.start_date is not null or s.add_date is null or s.add_date < z.date)
    and (s.end_date is null or s.end_date >= z.date)
    and (s.rule_id is null or s.is_every_day or (o.date is not null and u.date is null)) as is_fit,
    coalesce(e.end_at <= z.after_at, false) as is_over
from mart.fact_zone_day_listing as z
inner join mart.fact_listed_campaign as s
    on s.kind = z.kind
    and s.owner_kind = z.owner_kind
    and s.owner_id = z.owner_id
    and s.from_at <= coalesce(z.after_at, z.end_at)
    and coalesce(s.until_at, timestamp '9999-12-31 00:00:00') > z.start_at
left join mart.fact_rule_date as o on o.rule_id = s.rule_id and o.date = z.date
left join mart.fact_rule_ended_day as u
    on u.rule_id = s.rule_id and u.zone_id = z.zone_id and u.date = z.date and u.until_secs is null
left join mart.fact_zone_day_listing as e
    on e.kind = z.kind
    and e.zone_id = z.zone_id
    and e.owner_kind = z.owner_kind
    and e.owner_id = z.owner_id
    and e.date = s.end_date
