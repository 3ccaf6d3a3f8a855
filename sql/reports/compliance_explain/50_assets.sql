-- The assets that a listing of the day linked to the campaign, and the assets' dates.

with p as ({{cell}}),

linked as (
    select distinct
        z.owner_kind,
        z.owner_id,
        s.item_key,
        s.start_date,
        s.end_date,
        s.seen_from_at,
        s.until_at,
        (s.start_date is null or s.start_date <= p.date) and (s.end_date is null or s.end_date >= p.date) as is_active
    from p
    inner join fact_zone_day_listing as z on z.kind = p.kind and z.zone_id = p.zone_id and z.date = p.date
    inner join fact_listed_asset as s
        on s.kind = z.kind
        and s.owner_kind = z.owner_kind
        and s.owner_id = z.owner_id
        and s.campaign_key = p.campaign_key
        and s.from_at < z.end_at
        and (s.until_at is null or s.until_at > z.start_at)
)

select
    'assets' as section,
    'asset ' || cast(i.item_id as varchar) || ', ' || i.item_name as subject,
    case when l.is_active then 'active' else 'not active' end as value,
    case
        -- For an asset with unreadable dates, a load stores an end before its start.
        when l.start_date = date '9999-12-31' and l.end_date = date '1000-01-01' then 'invalid start or end date'
        when l.start_date is null and l.end_date is null then 'no start or end date'
        when l.end_date is null then 'from ' || cast(l.start_date as varchar) || ' on'
        else coalesce(cast(l.start_date as varchar) || ' to ', 'until ') || cast(l.end_date as varchar)
    end
    || ', linked by ' || l.owner_kind || ' ' || cast(l.owner_id as varchar) || ' from '
    || substr(cast(l.seen_from_at as varchar), 1, 19) || coalesce(' until ' || substr(cast(l.until_at as varchar), 1, 19), '') as note
from linked as l
inner join dim_item as i on i.item_key = l.item_key
order by l.item_key, l.owner_kind, l.owner_id, l.seen_from_at
