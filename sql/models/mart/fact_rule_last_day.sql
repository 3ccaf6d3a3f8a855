-- Days of zones in the course of which a rule that names times ends, by its UNTIL: an instant that zones reach at different
-- local times.
--
-- Grain: rule_id, zone_id, date
-- Reads: core.campaign_date, core.campaign_rule, core.zone_day, core.zone_until, mart.fact_listed_campaign
-- Built: whole
-- Columns:
--   rule_id      = fact_listed_campaign.rule_id
--   zone_id      = dim_zone.zone_id: The zone.
--   date         = dim_date.date: Local day of the zone.
--   until_secs   Until (seconds): When it ends, in seconds since midnight on the zone's own clock: no occurrence comes after.

select
    o.rule_id,
    z.zone_id,
    z.date,
    cast(coalesce(u.until_secs, date_diff('second', z.start_at, r.until_at)) as bigint) as until_secs
from core.campaign_date as o
inner join core.campaign_rule as r on r.rule_id = o.rule_id
inner join core.zone_day as z on z.date = o.date and z.start_at <= r.until_at and z.end_at > r.until_at
left join core.zone_until as u on u.zone_id = z.zone_id and u.date = z.date and u.until_at = r.until_at
where
    o.first_secs is not null
    and o.time_set is not null
    and o.rule_id in (select rule_id from mart.fact_listed_campaign)
