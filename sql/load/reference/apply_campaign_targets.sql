-- Replaces the campaign targets.
-- Reads: temp.reference_row
-- Leaves: core.campaign_target
delete from core.campaign_target;

insert into core.campaign_target
select
    id as campaign_key,
    valid_from,
    valid_to,
    plays,
    plays_per_zone_day,
    compliance,
    impressions
from temp.reference_row;
