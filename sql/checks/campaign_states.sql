-- Every campaign day has a known state that fits its plays, and no part exceeds its whole.
-- Severity: error

select
    f.campaign_key,
    f.zone_id,
    f.date,
    f.state,
    f.candidate_plays,
    f.exclusive_plays,
    f.weighted_plays,
    f.complete_plays,
    f.measured_plays,
    f.active_assets,
    f.played_assets,
    f.due_times,
    f.met_times
from mart.fact_campaign_zone_day as f
inner join core.checked_day as d on d.date = f.date
where
    f.state not in ('unscheduled', 'pending', 'compliant', 'closed', 'not_measurable', 'missed_offline', 'missed')
    or (f.state in ('unscheduled', 'compliant') and f.candidate_plays = 0)
    or (f.state in ('closed', 'not_measurable', 'missed_offline', 'missed') and f.candidate_plays > 0)
    or f.exclusive_plays > f.weighted_plays + 0.001
    or f.weighted_plays > f.candidate_plays + 0.001
    or f.measured_plays > f.candidate_plays
    or f.complete_plays > f.measured_plays
    or f.played_assets > f.active_assets
    or f.active_assets = 0
    or (f.played_assets = 0) <> (f.candidate_plays = 0)
    or coalesce(f.met_times, -1) > coalesce(f.due_times, -1)
    or (f.due_times is null) <> (f.met_times is null)
    or (f.candidate_plays = 0 and f.met_times > 0)
    or (f.state = 'unscheduled' and f.due_times is not null)
