-- One row per rule, zone and local day on which the rule has ended in the zone, but not in every zone, because UNTIL is
-- an instant, which zones reach at different local times. If a rule has times of day, the day on which it ends is
-- included too.
--
-- Grain: rule_id, zone_id, date
-- Reads: core.campaign_date, core.campaign_rule, core.zone_day, mart.fact_clock_change, mart.fact_listed_campaign
-- Built: whole
-- Columns:
--   rule_id      = fact_listed_campaign.rule_id
--   zone_id      = dim_zone.zone_id: The zone.
--   date         = dim_date.date: Local day of the zone.
--   until_secs   Until (seconds): End of the rule within the day, in seconds since midnight by the clock at the start
--                of the day; no occurrence is later. Null: no occurrence on this day.

with ended as (
    select
        o.rule_id,
        z.zone_id,
        z.date,
        o.time_set,
        o.first_secs - case
            when o.first_secs >= c.resumes_secs then c.change_secs
            else 0
        end as first_secs,
        case
            when r.until_at < z.start_at then null
            when c.date is null then date_diff('second', z.start_at, r.until_at)
            else date_diff('second', z.end_at, r.until_at) + 86400 - c.change_secs
        end as until_secs
    from core.campaign_date as o
    inner join core.campaign_rule as r on r.rule_id = o.rule_id
    inner join core.zone_day as z on z.date = o.date
    left join mart.fact_clock_change as c on c.zone_id = z.zone_id and c.date = z.date
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
