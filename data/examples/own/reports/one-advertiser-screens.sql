-- Zones whose campaigns in the period belong to one advertiser only.
--
-- Title: Screens that show one advertiser only
-- Columns:
--   advertiser   Advertiser (text): From the column advertiser of reference/campaign_attributes.csv.
--   days         Days (count): Days on which its campaigns ran.
-- Links:
--   zone_name    compliance?by=campaign&zone={zone_id}

with ran as (
    select
        f.zone_id,
        f.date,
        f.candidate_plays,
        coalesce(a.attribute_value, '(none)') as advertiser
    from fact_campaign_zone_day as f
    inner join chosen_zone_day as z on z.zone_id = f.zone_id and z.date = f.date
    left join bridge_campaign_attribute as a
        on a.campaign_key = f.campaign_key
        and a.attribute_name = 'advertiser'
        and f.date between a.valid_from and a.valid_to
    where f.state = 'compliant' and f.kind = 'signage'
)

select
    r.zone_id,
    z.zone_name,
    min(r.advertiser) as advertiser,
    count(distinct r.date) as days,
    cast(sum(r.candidate_plays) as bigint) as plays
from ran as r
inner join dim_zone as z on z.zone_id = r.zone_id
group by r.zone_id, z.zone_name
having min(r.advertiser) = max(r.advertiser) and min(r.advertiser) <> '(none)'
order by days desc, r.zone_id
