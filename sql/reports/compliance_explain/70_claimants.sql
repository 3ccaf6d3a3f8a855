-- Other campaigns that can claim plays of these assets. Customer tokens do not reveal which campaigns these are.

with p as ({{cell}}),

asset as (
    select distinct l.item_key
    from p
    inner join staging.linked_day as l
        on l.campaign_key = p.campaign_key and l.zone_id = p.zone_id and l.date = p.date
    where l.is_in_day
),

other as (
    select distinct
        l.campaign_key,
        l.item_key
    from p
    inner join staging.linked_day as l on l.kind = p.kind and l.zone_id = p.zone_id and l.date = p.date
    inner join asset as a on a.item_key = l.item_key
    where l.is_in_day and l.campaign_key <> p.campaign_key
)

select
    'claimants' as section,
    coalesce(c.campaign_name, 'another campaign') as subject,
    case when d.is_scheduled then 'scheduled' else 'not scheduled: cannot claim plays from a scheduled campaign' end as value,
    coalesce('campaign ' || cast(c.campaign_id as varchar) || ', asset ', 'with asset ')
    || cast(i.item_id as varchar) as note
from p
cross join other as o
inner join staging.campaign_day as d
    on d.campaign_key = o.campaign_key and d.zone_id = p.zone_id and d.date = p.date
left join dim_campaign as c on c.campaign_key = o.campaign_key
inner join dim_item as i on i.item_key = o.item_key
order by o.campaign_key, o.item_key
