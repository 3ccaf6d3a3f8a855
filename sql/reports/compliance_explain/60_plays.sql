-- The candidate plays.
--
-- For: compliance
-- Reads: mart.dim_item, mart.fact_play, staging.linked_day
-- Columns: as quality/10_published

with p as (
    select
        cast(? as varchar) as kind,
        cast(? as bigint) as campaign_id,
        cast(? as bigint) as zone_id,
        cast(? as date) as date
),

asset as (
    select distinct
        l.asset_id * 4 + case l.kind when 'signage' then 1 else 2 end as item_key
    from p
    inner join staging.linked_day as l
        on l.kind = p.kind and l.zone_id = p.zone_id and l.date = p.date and l.campaign_id = p.campaign_id
    where l.is_in_day
)

select
    'plays' as section,
    coalesce(i.item_name, cast(f.item_key as varchar)) as subject,
    cast(f.played_at_local as varchar) as value,
    cast(f.duration_secs as varchar) || ' s'
    || case when f.is_complete then ', complete' when not f.is_complete then ', cut short' else '' end
    || '; began at that local time' as note
from p
inner join mart.fact_play as f on f.zone_id = p.zone_id and f.date = p.date and f.kind = p.kind
inner join asset as a on a.item_key = f.item_key
left join mart.dim_item as i on i.item_key = f.item_key
order by f.played_at, f.item_key
