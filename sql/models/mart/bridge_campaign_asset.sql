-- One row per campaign, asset and unbroken span in which the asset was linked to the campaign.
--
-- Grain: campaign_key, item_key, linked_from
-- Reads: core.listing_asset_span
-- Built: whole
-- Columns:
--   campaign_key   = dim_campaign.campaign_key: The campaign.
--   item_key       = dim_item.item_key: The asset.
--   linked_from    Linked from (instant): Instant of the first listing that showed the link, in UTC.
--   linked_to      Linked to (instant): Instant of the first listing that no longer showed the link, in UTC; null while
--                  still linked.

with span as (
    select distinct
        kind,
        campaign_id,
        asset_id,
        seen_from_at,
        coalesce(until_at, timestamp '9999-12-31 00:00:00') as until_at
    from core.listing_asset_span
),

begun as (
    select
        span.*,
        max(until_at) over (
            partition by kind, campaign_id, asset_id
            order by seen_from_at, until_at rows between unbounded preceding and 1 preceding
        ) as before_at
    from span
),

numbered as (
    select
        begun.*,
        count(case when before_at is null or before_at < seen_from_at then 1 end) over (
            partition by kind, campaign_id, asset_id
            order by seen_from_at, until_at rows between unbounded preceding and current row
        ) as link_no
    from begun
),

link as (
    select
        kind,
        campaign_id,
        asset_id,
        link_no,
        min(seen_from_at) as linked_from,
        max(until_at) as linked_to
    from numbered
    group by kind, campaign_id, asset_id, link_no
)

select
    campaign_id * 4 + case kind when 'signage' then 1 else 2 end as campaign_key,
    asset_id * 4 + case kind when 'signage' then 1 else 2 end as item_key,
    linked_from,
    nullif(linked_to, timestamp '9999-12-31 00:00:00') as linked_to
from link
