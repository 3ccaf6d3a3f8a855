-- The scheduled zone days of the requested campaigns and zones, and how many of them rest on an assumed schedule.
--
-- For: compliance
-- Reads: campaign_slot, fact_campaign_zone_day, p, zone_slot
-- Columns:
--   scheduled_days   = compliance.scheduled_days
--   assumed_days     = compliance.assumed_days

select
    count(*) as scheduled_days,
    count(case when f.is_assumed then 1 end) as assumed_days
from p
inner join fact_campaign_zone_day as f on f.date between p.date_from and p.date_to and f.state <> 'unscheduled'
inner join zone_slot as z on z.zone_id = f.zone_id and f.date between z.slot_from and z.slot_to
inner join campaign_slot as c on c.campaign_key = f.campaign_key and f.date between c.slot_from and c.slot_to
