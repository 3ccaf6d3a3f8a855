-- One row per kind, zone, local day, listing owner, campaign, linked asset that is active on the day, and span of the
-- listing: whether the link was listed at the start of the day, during it, and in the first listing after it.
--
-- Grain: kind, zone_id, date, owner_kind, owner_id, campaign_key, item_key, from_at
-- Reads: mart.fact_listed_asset, mart.fact_zone_day_listing
-- Built: view
-- Columns:
--   kind           signage or messaging.
--   zone_id        The zone.
--   date           Local day.
--   owner_kind     Owner of the listing: zone or group.
--   owner_id       The owner's number.
--   campaign_key   The campaign (dim_campaign).
--   item_key       The asset (dim_item).
--   from_at        Instant from which the listed data applies.
--   is_at_start    Listed at the start of the day.
--   is_in_day      Listed at some time of the day.
--   is_after       Listed in the first listing after the day; null: there is none yet.

-- A date replaces open ends in the join, because an `or` would make DuckDB join each day with all earlier spans.
select
    z.kind,
    z.zone_id,
    z.date,
    z.owner_kind,
    z.owner_id,
    s.campaign_key,
    s.item_key,
    s.from_at,
    s.from_at <= z.start_at and (s.until_at is null or s.until_at > z.start_at) as is_at_start,
    s.from_at < z.end_at and (s.until_at is null or s.until_at > z.start_at) as is_in_day,
    s.from_at <= z.after_at and (s.until_at is null or s.until_at > z.after_at) as is_after
from mart.fact_zone_day_listing as z
inner join mart.fact_listed_asset as s
    on s.kind = z.kind
    and s.owner_kind = z.owner_kind
    and s.owner_id = z.owner_id
    and s.from_at <= coalesce(z.after_at, z.end_at)
    and coalesce(s.until_at, timestamp '9999-12-31 00:00:00') > z.start_at
where (s.start_date is null or s.start_date <= z.date) and (s.end_date is null or s.end_date >= z.date)
