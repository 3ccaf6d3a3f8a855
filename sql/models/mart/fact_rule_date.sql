-- One row per recurrence rule and date with an occurrence, for the days with data and at least 60 days after. Excludes
-- rules with an occurrence every day.
--
-- Grain: rule_id, date
-- Reads: core.campaign_date, mart.fact_listed_campaign
-- Built: whole
-- Columns:
--   rule_id    = fact_listed_campaign.rule_id
--   date       = dim_date.date: Local date in every zone, except for the zones and days in fact_rule_ended_day. Note: May
--              be unknown to dim_date, which ends with the data's last year.
--   time_set   Times (text): Code for the times of day of its occurrences; null: the rule has no times. Note: Each
--              run of evenly spaced times has fifteen digits: five for the first time, five for the interval, both in
--              seconds, and five for the number of times.

select
    rule_id,
    date,
    time_set
from core.campaign_date
where rule_id in (select rule_id from mart.fact_listed_campaign)
