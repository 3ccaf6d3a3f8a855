-- One row per campaign and range of local dates in reference/campaign_targets.csv: the plays and impressions that
-- were booked, and the agreed compliance.
--
-- Grain: campaign_key, valid_from
-- Reads: core.campaign_target
-- Built: whole
-- Columns:
--   campaign_key         = dim_campaign.campaign_key: The campaign, which may be unknown.
--   valid_from           = bridge_zone_attribute.valid_from
--   valid_to             = bridge_zone_attribute.valid_to
--   plays                Booked plays (count): Plays booked in total over these dates; null: no such target.
--   plays_per_zone_day   Booked per zone day (number): Plays booked per scheduled zone day; null: no such target.
--   compliance           Agreed compliance (share): Compliance to reach over these dates; null: no such target.
--   impressions          Booked impressions (count): Impressions booked in total over these dates; null: no such target.

select
    campaign_key,
    valid_from,
    valid_to,
    plays,
    plays_per_zone_day,
    compliance,
    impressions
from core.campaign_target
