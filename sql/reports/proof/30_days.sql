-- The campaign days of a proof: one row per campaign, zone and local day on which it was scheduled or played.
--
-- Reads: campaign_slot, dim_zone, fact_campaign_zone_day, p, zone_slot
-- Columns:
--   kind              = dim_campaign.kind
--   campaign_id       = dim_campaign.campaign_id
--   campaign_name     = dim_campaign.campaign_name
--   zone_id           = dim_zone.zone_id
--   zone_name         = dim_zone.zone_name
--   date              = dim_date.date
--   state             = fact_campaign_zone_day.state
--   is_assumed        = fact_campaign_zone_day.is_assumed
--   candidate_plays   = fact_campaign_zone_day.candidate_plays
--   exclusive_plays   = fact_campaign_zone_day.exclusive_plays
--   play_seconds      = fact_campaign_zone_day.play_seconds
--   due_times         = fact_campaign_zone_day.due_times
--   met_times         = fact_campaign_zone_day.met_times

select
    c.kind,
    c.campaign_id,
    c.campaign_name,
    f.zone_id,
    z.zone_name,
    f.date,
    f.state,
    f.is_assumed,
    f.candidate_plays,
    f.exclusive_plays,
    f.play_seconds,
    f.due_times,
    f.met_times
from p
inner join fact_campaign_zone_day as f on f.date between p.date_from and p.date_to
inner join zone_slot as s on s.zone_id = f.zone_id and f.date between s.slot_from and s.slot_to
inner join campaign_slot as c on c.campaign_key = f.campaign_key and f.date between c.slot_from and c.slot_to
inner join dim_zone as z on z.zone_id = f.zone_id
order by c.kind, c.campaign_id, f.zone_id, f.date
