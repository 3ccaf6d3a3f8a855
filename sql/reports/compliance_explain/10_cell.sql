-- The campaign day itself.

with p as ({{cell}}),

cell as (
    select f.*
    from p
    inner join fact_campaign_zone_day as f
        on f.campaign_key = p.campaign_key and f.zone_id = p.zone_id and f.date = p.date
),

known_day as (
    select
        min(d.date) as first_date,
        max(d.date) as last_date
    from p
    inner join fact_zone_day_listing as d on d.zone_id = p.zone_id
)

select
    'cell' as section,
    coalesce(c.campaign_name, 'Campaign ' || cast(p.campaign_id as varchar)) || ' in '
    || coalesce(z.zone_name, 'zone ' || cast(p.zone_id as varchar)) as subject,
    coalesce(f.state, 'none') as value,
    case
        when c.campaign_key is null then 'This campaign has never been listed.'
        when z.zone_id is null then 'This zone is not known.'
        when f.state is null and p.date > d.last_date
            then 'No data for this day yet: the zone''s data ends on ' || cast(d.last_date as varchar) || '.'
        when f.state is null and p.date < d.first_date
            then 'No data for this day: the zone''s data begins on ' || cast(d.first_date as varchar) || '.'
        when f.state is null then 'Not scheduled, and no plays that it could claim: there is nothing to count.'
        else
            cast(f.candidate_plays as varchar) || ' candidate plays, ' || cast(f.exclusive_plays as varchar)
            || ' exclusive, ' || cast(cast(floor(f.weighted_plays + 0.0005) as bigint) as varchar) || '.'
            || lpad(cast(cast(floor(f.weighted_plays * 1000 + 0.5) as bigint) % 1000 as varchar), 3, '0') || ' weighted; '
            || cast(f.played_assets as varchar) || ' of ' || cast(f.active_assets as varchar) || ' assets played'
    end as note
from p
left join dim_campaign as c on c.campaign_key = p.campaign_key
left join dim_zone as z on z.zone_id = p.zone_id
left join cell as f on f.date = p.date
cross join known_day as d
