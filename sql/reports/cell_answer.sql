-- One row with the state, details and due times of a campaign day; no row if it was neither scheduled nor played.

with cell as (
    select f.*
    from ({{cell}}) as p
    inner join fact_campaign_zone_day as f
        on f.campaign_key = p.campaign_key and f.zone_id = p.zone_id and f.date = p.date
),

day as (
    select
        bool_or(d.has_plays) as has_plays,
        bool_or(d.is_down) as is_down,
        bool_or(d.is_up) as is_up
    from cell as f
    inner join fact_zone_day_listing as d on d.kind = f.kind and d.zone_id = f.zone_id and d.date = f.date
),

doubt as (
    select bool_or(s.is_doubtful) as is_doubtful
    from cell as f
    inner join staging.campaign_day as s
        on s.kind = f.kind and s.campaign_key = f.campaign_key and s.zone_id = f.zone_id and s.date = f.date
),

times as (
    select
        count(*) as times,
        count(case when t.is_due then 1 end) as due_times
    from cell as f
    inner join staging.campaign_time as t
        on t.kind = f.kind and t.campaign_key = f.campaign_key and t.zone_id = f.zone_id and t.date = f.date
),

hours as (
    select
        count(*) as spans,
        min(h.opens_secs) as opens_secs,
        max(h.closes_secs) as closes_secs
    from cell as f
    inner join fact_zone_hours as h on h.zone_id = f.zone_id and h.date = f.date
)

select
    f.kind,
    f.state,
    f.reason,
    f.candidate_plays,
    coalesce(b.is_doubtful, false) as is_doubtful,
    coalesce(d.has_plays, false) as has_plays,
    coalesce(d.is_down, false) as is_down,
    coalesce(d.is_up, false) as is_up,
    t.times,
    t.due_times,
    h.spans,
    h.opens_secs,
    h.closes_secs
from cell as f
cross join day as d
cross join doubt as b
cross join times as t
cross join hours as h
