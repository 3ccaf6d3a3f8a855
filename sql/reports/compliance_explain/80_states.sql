-- Each state in the order in which it is tried, and whether it holds: the first one counts.
--
-- For: compliance
-- Reads: mart.dim_campaign, mart.fact_campaign_zone_day, staging.campaign_day, staging.zone_day_state,
--   staging.zone_listing
-- Columns: as quality/10_published

with p as (
    select
        cast(? as varchar) as kind,
        cast(? as bigint) as campaign_id,
        cast(? as bigint) as zone_id,
        cast(? as date) as date
),

fact as (
    select
        c.is_scheduled,
        c.is_doubtful,
        z.has_plays,
        z.is_closed,
        z.is_up,
        z.is_down,
        coalesce(l.settled_until >= z.end_at, false) as is_settled,
        coalesce(f.candidate_plays, 0) as candidate_plays
    from p
    inner join staging.campaign_day as c
        on c.kind = p.kind and c.zone_id = p.zone_id and c.date = p.date and c.campaign_id = p.campaign_id
    inner join staging.zone_day_state as z on z.zone_id = p.zone_id and z.date = p.date
    inner join (
        select kind, zone_id, max(settled_until) as settled_until
        from staging.zone_listing
        group by kind, zone_id
    ) as l on l.kind = p.kind and l.zone_id = p.zone_id
    left join mart.dim_campaign as n on n.kind = p.kind and n.campaign_id = p.campaign_id
    left join mart.fact_campaign_zone_day as f
        on f.campaign_key = n.campaign_key and f.zone_id = p.zone_id and f.date = p.date
),

tried as (
    select 1 as place, 'unscheduled' as state, not is_scheduled and candidate_plays > 0 as holds,
        'not scheduled, yet plays claimed' as meaning
    from fact
    union all
    select 2, 'pending', is_scheduled and not is_settled, 'not settled' from fact
    union all
    select 3, 'compliant', is_scheduled and candidate_plays > 0, 'a candidate play' from fact
    union all
    select 4, 'closed', is_scheduled and is_closed, 'no plays of any kind, and no opening hours' from fact
    union all
    select 5, 'not_measurable', is_scheduled and (is_doubtful or not (has_plays or is_up or is_down)),
        case
            when is_doubtful then 'the listings before and after the day disagree on it'
            else 'the listings disagree; or no plays of any kind, and nothing known of devices'
        end
    from fact
    union all
    select 6, 'missed_offline', is_scheduled and is_down and not is_up, 'down for some time, and never known to be up'
    from fact
    union all
    select 7, 'missed', is_scheduled, 'otherwise' from fact
),

first_held as (
    select min(place) as place
    from tried
    where holds
)

select
    'states' as section,
    t.state as subject,
    case when t.place = h.place then 'this one counts' when t.holds then 'would hold' else 'does not hold' end as value,
    t.meaning as note
from tried as t
left join first_held as h on true
order by t.place
