-- Assets that are linked to a campaign on a zone's local day, and active by their own dates: at its start, in its
-- course, or in the first listing after.
--
-- Grain: kind, zone_id, date, owner_kind, owner_id, campaign_key, item_key, from_at
-- Reads: mart.fact_listed_asset, mart.fact_zone_day_listing
-- Built: view
-- Columns:
--   kind           signage or messaging.
--   zone_id        The zone.
--   date           Local day.
--   owner_kind     Whose listing it is: zone or group.
--   owner_id       That zone or group.
--   campaign_key   The campaign (dim_campaign).
--   item_key       The asset (dim_item).
--   from_at        From when on the listing said so.
--   is_at_start    It said so when the day began.
--   is_in_day      It said so at some time of the day.
--   is_after       The first listing after the day says so; null: there is none yet.

-- The join uses a date for open ends: with an `or`, DuckDB joins each day with all earlier spans.
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
