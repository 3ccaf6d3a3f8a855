-- Days of zones on which a rule has occurrences elsewhere, but here only after its UNTIL: an instant that zones reach at
-- different local times. Of a rule that names times of day also the days in the course of which it ends.
--
-- Grain: rule_id, zone_id, date
-- Reads: core.campaign_date, core.campaign_rule, core.zone_day, core.zone_until, mart.fact_listed_campaign
-- Built: whole
-- Columns:
--   rule_id      = fact_listed_campaign.rule_id
--   zone_id      = dim_zone.zone_id: The zone.
--   date         = dim_date.date: Local day of the zone.
--   until_secs   Until (seconds): When the rule ends in the course of the day, in seconds since midnight on the zone's own
--                clock: no occurrence comes after. Null: none comes on this day.

with ended as (
    select
        o.rule_id,
        z.zone_id,
        z.date,
        o.first_secs,
        o.time_set,
        case
            when r.until_at >= z.start_at then coalesce(u.until_secs, date_diff('second', z.start_at, r.until_at))
        end as until_secs
    from core.campaign_date as o
    inner join core.campaign_rule as r on r.rule_id = o.rule_id
    inner join core.zone_day as z on z.date = o.date
    left join core.zone_until as u on u.zone_id = z.zone_id and u.date = z.date and u.until_at = r.until_at
    where
        o.first_secs is not null
        and o.rule_id in (select rule_id from mart.fact_listed_campaign)
        and r.until_at < z.end_at
)

select
    rule_id,
    zone_id,
    date,
    cast(case when until_secs >= first_secs then until_secs end as bigint) as until_secs
from ended
where until_secs is null or until_secs < first_secs or time_set is not null
