-- Who else can claim plays of these assets.
--
-- For: compliance
-- Reads: mart.dim_campaign, staging.campaign_day, staging.linked_day
-- Columns: as quality/10_published

with p as (
    select
        cast(? as varchar) as kind,
        cast(? as bigint) as campaign_id,
        cast(? as bigint) as zone_id,
        cast(? as date) as date
),

asset as (
    select distinct l.asset_id
    from p
    inner join staging.linked_day as l
        on l.kind = p.kind and l.zone_id = p.zone_id and l.date = p.date and l.campaign_id = p.campaign_id
    where l.is_in_day
),

other as (
    select distinct
        l.campaign_id,
        l.asset_id
    from p
    inner join staging.linked_day as l on l.kind = p.kind and l.zone_id = p.zone_id and l.date = p.date
    inner join asset as a on a.asset_id = l.asset_id
    where l.is_in_day and l.campaign_id <> p.campaign_id
)

select
    'claimants' as section,
    c.campaign_name as subject,
    case when d.is_scheduled then 'scheduled' else 'not scheduled: claims nothing of a scheduled one' end as value,
    'campaign ' || cast(o.campaign_id as varchar) || ', asset ' || cast(o.asset_id as varchar) as note
from p
cross join other as o
inner join staging.campaign_day as d
    on d.kind = p.kind and d.zone_id = p.zone_id and d.date = p.date and d.campaign_id = o.campaign_id
inner join mart.dim_campaign as c on c.kind = p.kind and c.campaign_id = o.campaign_id
order by o.campaign_id, o.asset_id
