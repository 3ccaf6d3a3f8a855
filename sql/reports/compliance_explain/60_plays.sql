-- The candidate plays. For an unscheduled campaign, also plays that are attributed to a scheduled campaign instead.

with p as ({{cell}}),

asset as (
    select distinct l.item_key
    from p
    inner join staging.linked_day as l
        on l.campaign_key = p.campaign_key and l.zone_id = p.zone_id and l.date = p.date
    where l.is_in_day
),

-- If this campaign is not scheduled, the assets of scheduled campaigns.
lost as (
    select distinct l.item_key
    from p
    inner join staging.campaign_day as o
        on o.campaign_key = p.campaign_key and o.zone_id = p.zone_id and o.date = p.date
    inner join staging.campaign_day as c on c.kind = p.kind and c.zone_id = p.zone_id and c.date = p.date
    inner join staging.linked_day as l
        on l.kind = c.kind and l.campaign_key = c.campaign_key and l.zone_id = c.zone_id and l.date = c.date
    where not o.is_scheduled and c.is_scheduled and l.is_in_day
)

select
    'plays' as section,
    coalesce(i.item_name, cast(f.item_key as varchar)) as subject,
    substr(cast(f.played_at_local as varchar), 1, 19) as value,
    cast(f.duration_secs as varchar) || ' s'
    || case when f.is_complete then ', complete' when not f.is_complete then ', cut short' else '' end
    || '; start in local time'
    || case when s.item_key is null then '' else '; not counted here: a scheduled campaign can claim it' end as note
from p
inner join fact_play as f on f.zone_id = p.zone_id and f.date = p.date and f.kind = p.kind
inner join asset as a on a.item_key = f.item_key
left join lost as s on s.item_key = f.item_key
left join dim_item as i on i.item_key = f.item_key
order by f.played_at, f.item_key
