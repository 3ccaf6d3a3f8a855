-- How many of the scheduled zone days rest on what was assumed of a listing.
-- Reads fact_campaign_zone_day, dim_campaign, dim_zone, bridge_group_zone.
-- Lists of ids, kinds and states are text such as `,3,14,`; an empty text means all.
with p as (
    select
        cast(? as date) as date_from,
        cast(? as date) as date_to, -- inclusive
        cast(? as varchar) as group_ids,
        cast(? as varchar) as zone_ids,
        cast(? as varchar) as location_ids,
        cast(? as varchar) as kinds,
        cast(? as varchar) as campaign_ids
),

chosen_zone as (
    select z.zone_id
    from p
    cross join dim_zone as z
    where
        (p.zone_ids = '' or position(',' || cast(z.zone_id as varchar) || ',' in p.zone_ids) > 0)
        and (p.location_ids = '' or position(',' || cast(z.location_id as varchar) || ',' in p.location_ids) > 0)
        and (
            p.group_ids = ''
            or z.zone_id in (
                select b.zone_id
                from p as q
                inner join bridge_group_zone as b
                    on position(',' || cast(b.group_id as varchar) || ',' in q.group_ids) > 0
            )
        )
),

chosen_campaign as (
    select c.campaign_key
    from p
    cross join dim_campaign as c
    where
        (p.kinds = '' or position(',' || c.kind || ',' in p.kinds) > 0)
        and (p.campaign_ids = '' or position(',' || cast(c.campaign_id as varchar) || ',' in p.campaign_ids) > 0)
)

select
    count(*) as scheduled_days,
    count(case when f.is_assumed then 1 end) as assumed_days
from p
inner join fact_campaign_zone_day as f on f.date between p.date_from and p.date_to
inner join chosen_zone as z on z.zone_id = f.zone_id
inner join chosen_campaign as c on c.campaign_key = f.campaign_key
where f.state <> 'unscheduled'
