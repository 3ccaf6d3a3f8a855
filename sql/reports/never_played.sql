-- Zones with missed days of a kind that they have never played, on any day; most missed days first.
--
-- For: compliance
-- Reads: chosen_campaign, chosen_zone, fact_campaign_zone_day, fact_play_zone_day, p
-- Columns:
--   kind              = dim_campaign.kind
--   zone_id           = dim_zone.zone_id
--   zone_name         = dim_zone.zone_name
--   days              Days (count): Missed zone days of the zone, with the device up or down.
--   all_missed_days   All missed days (count): Missed zone days of the kind in all requested zones.

with missed as (
    select
        c.kind,
        f.zone_id,
        count(*) as days
    from p
    inner join fact_campaign_zone_day as f on f.date between p.date_from and p.date_to
    inner join chosen_campaign as c on c.campaign_key = f.campaign_key
    where f.state in ('missed', 'missed_offline')
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
    inner join chosen_zone as z on z.zone_id = m.zone_id
),

played as (
    select distinct
        kind,
        zone_id
    from fact_play_zone_day
)

select
    c.kind,
    c.zone_id,
    c.zone_name,
    c.days,
    c.all_missed_days
from chosen as c
left join played as f on f.kind = c.kind and f.zone_id = c.zone_id
where f.zone_id is null
order by c.kind, c.days desc, c.zone_id
