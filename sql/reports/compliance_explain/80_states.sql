-- The states in the order in which they are tested, each with its result. The first state that applies is used.

with p as ({{cell}}),

day as (
    select
        z.has_plays,
        z.is_closed,
        z.is_up,
        z.is_down,
        coalesce(max(l.settled_until) >= z.end_at, false) as is_settled
    from p
    inner join fact_zone_day_listing as z on z.kind = p.kind and z.zone_id = p.zone_id and z.date = p.date
    inner join bridge_zone_listing as l on l.kind = z.kind and l.zone_id = z.zone_id
    group by z.end_at, z.has_plays, z.is_closed, z.is_up, z.is_down
),

fact as (
    select
        c.is_scheduled,
        c.is_doubtful,
        d.has_plays,
        d.is_closed,
        d.is_up,
        d.is_down,
        d.is_settled,
        coalesce(f.candidate_plays, 0) as candidate_plays
    from p
    inner join staging.campaign_day as c
        on c.campaign_key = p.campaign_key and c.zone_id = p.zone_id and c.date = p.date
    cross join day as d
    left join fact_campaign_zone_day as f
        on f.campaign_key = p.campaign_key and f.zone_id = p.zone_id and f.date = p.date
),

state_order as (
    select 1 as place, 'unscheduled' as state, not is_scheduled and candidate_plays > 0 as holds,
        'not scheduled, but claimed plays' as meaning
    from fact
    union all
    select 2, 'pending', is_scheduled and not is_settled, 'not settled' from fact
    union all
    select 3, 'compliant', is_scheduled and candidate_plays > 0, 'at least one candidate play' from fact
    union all
    select 4, 'closed', is_scheduled and is_closed, 'no plays of any kind, and no opening hours' from fact
    union all
    select 5, 'not_measurable', is_scheduled and (is_doubtful or not (has_plays or is_up or is_down)),
        case
            when is_doubtful then 'the listings before and after the day disagree about it'
            else 'the listings disagree; or no plays of any kind, and no known device state'
        end
    from fact
    union all
    select 6, 'missed_offline', is_scheduled and is_down and not is_up, 'down for some time, and never known to be up'
    from fact
    union all
    select 7, 'missed', is_scheduled, 'scheduled, and none of the above' from fact
),

first_held as (
    select min(place) as place
    from state_order
    where holds
)

select
    'states' as section,
    t.state as subject,
    case when t.place = h.place then 'yes, this applies' when t.holds then 'would also apply' else 'no' end as value,
    'means: ' || t.meaning as note
from state_order as t
left join first_held as h on true
order by t.place
