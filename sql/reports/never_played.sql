-- Zones with missed days for campaigns of a kind that has never played there on any day. Lists up to the requested
-- number of zones per kind, most missed days first, with totals over all such zones.

with missed as (
    select
        c.kind,
        f.zone_id,
        count(*) as days
    from fact_campaign_zone_day as f
    inner join dim_campaign as c on c.campaign_key = f.campaign_key
    where
        f.date between {{from}} and {{to}}
        and f.campaign_key in ({{campaigns}})
        and f.state in ('missed', 'missed_offline')
    group by c.kind, f.zone_id
),

chosen as (
    select
        m.kind,
        m.zone_id,
        z.zone_name,
        m.days,
        cast(sum(m.days) over (partition by m.kind) as bigint) as all_missed_days
    from missed as m
    inner join dim_zone as z on z.zone_id = m.zone_id
    where m.zone_id in ({{zones}})
),

played as (
    select distinct
        kind,
        zone_id
    from fact_play_zone_day
),

ranked as (
    select
        c.*,
        count(*) over (partition by c.kind) as zones,
        cast(sum(c.days) over (partition by c.kind) as bigint) as never_days,
        row_number() over (partition by c.kind order by c.days desc, c.zone_id) as place
    from chosen as c
    left join played as f on f.kind = c.kind and f.zone_id = c.zone_id
    where f.zone_id is null
)

select
    r.kind,
    r.zone_id,
    r.zone_name,
    r.days,
    r.zones,
    r.never_days,
    r.all_missed_days
from ranked as r
where r.place <= {{most}}
order by r.kind, r.days desc, r.zone_id
