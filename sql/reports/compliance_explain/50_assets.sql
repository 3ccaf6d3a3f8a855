-- The assets that a listing of the day linked to the campaign, and their own dates.
--
-- For: compliance
-- Reads: core.listing_asset_span, mart.dim_item, staging.zone_day_listing
-- Columns: as quality/10_published

with p as (
    select
        cast(? as varchar) as kind,
        cast(? as bigint) as campaign_id,
        cast(? as bigint) as zone_id,
        cast(? as date) as date
),

linked as (
    select distinct
        z.owner_kind,
        z.owner_id,
        s.asset_id,
        s.start_date,
        s.end_date,
        s.seen_from_at,
        s.until_at,
        (s.start_date is null or s.start_date <= p.date) and (s.end_date is null or s.end_date >= p.date) as is_active
    from p
    inner join staging.zone_day_listing as z on z.kind = p.kind and z.zone_id = p.zone_id and z.date = p.date
    inner join core.listing_asset_span as s
        on s.kind = z.kind
        and s.owner_kind = z.owner_kind
        and s.owner_id = z.owner_id
        and s.campaign_id = p.campaign_id
        and s.from_at < z.end_at
        and (s.until_at is null or s.until_at > z.start_at)
)

select
    'assets' as section,
    'asset ' || cast(l.asset_id as varchar) || coalesce(', ' || i.item_name, '') as subject,
    case when l.is_active then 'active' else 'not active' end as value,
    coalesce(cast(l.start_date as varchar), 'open') || ' to ' || coalesce(cast(l.end_date as varchar), 'open')
    || ', linked by ' || l.owner_kind || ' ' || cast(l.owner_id as varchar) || ' from '
    || substr(cast(l.seen_from_at as varchar), 1, 19) || coalesce(' until ' || substr(cast(l.until_at as varchar), 1, 19), '') as note
from p
cross join linked as l
left join mart.dim_item as i on i.kind = p.kind and i.item_id = l.asset_id
order by l.asset_id, l.owner_kind, l.owner_id, l.seen_from_at
