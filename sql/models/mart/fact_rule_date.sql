-- One row per recurrence rule and date on which it has an occurrence, within the days of which anything is known, and some
-- weeks after. Rules that have one every day are not among them.
--
-- Grain: rule_id, date
-- Reads: core.campaign_date, mart.fact_listed_campaign
-- Built: whole
-- Columns:
--   rule_id    = fact_listed_campaign.rule_id
--   date       Date (date): Local date in every zone, but for those that fact_rule_ended_day names.
--   time_set   Times (text): Code of the times of its occurrences: five digits each, in seconds, for a first time
--              and for the step to the next, and five for how many there are; then further such runs. Null: the rule
--              names no times of day.

select
    rule_id,
    date,
    time_set
from core.campaign_date
where rule_id in (select rule_id from mart.fact_listed_campaign)
