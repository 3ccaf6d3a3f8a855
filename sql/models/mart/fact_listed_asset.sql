-- One row per listing owner (group or zone), campaign, linked asset and unbroken span in which the asset's dates in the
-- listings did not change.
--
-- Grain: kind, owner_kind, owner_id, campaign_key, item_key, from_at
-- Reads: core.listing_asset_span
-- Built: whole
-- Columns:
--   kind           = dim_campaign.kind
--   owner_kind     = fact_listed_campaign.owner_kind
--   owner_id       = fact_listed_campaign.owner_id
--   campaign_key   = dim_campaign.campaign_key: The campaign.
--   item_key       = dim_item.item_key: The asset.
--   start_date     = dim_item.start_date: First date on which the asset could play; null: no limit. Note: If a date of
--                  the asset is unreadable, the start is 9999-12-31 and the end 1000-01-01, so it is never active.
--   end_date       = dim_item.end_date: Last date on which the asset could play; null: no limit.
--   from_at        = fact_listed_campaign.from_at
--   until_at       = fact_listed_campaign.until_at
--   seen_from_at   = fact_listed_campaign.seen_from_at
--   last_seen_at   = fact_listed_campaign.last_seen_at

select
    kind,
    owner_kind,
    owner_id,
    campaign_id * 4 + case kind when 'signage' then 1 else 2 end as campaign_key,
    asset_id * 4 + case kind when 'signage' then 1 else 2 end as item_key,
    start_date,
    end_date,
    from_at,
    until_at,
    seen_from_at,
    last_seen_at
from core.listing_asset_span
