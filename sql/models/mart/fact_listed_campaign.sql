-- One row per campaign and unbroken time in which the listings of a group or zone said the same of it.
--
-- Grain: kind, owner_kind, owner_id, campaign_key, from_at
-- Reads: core.campaign_rule, core.listing_span
-- Built: whole
-- Columns:
--   kind            = dim_campaign.kind
--   owner_kind      Listing of a (text): zone or group: whose listing said so.
--   owner_id        Listing of (id): That zone (dim_zone) or group (dim_group).
--   campaign_key    = dim_campaign.campaign_key: The campaign.
--   campaign_name   Campaign (text): The campaign's name at that time, if any.
--   status          Status (text): In the service's word.
--   is_enabled      Enabled (yes or no): Whether this status lets the campaign run.
--   add_date        Added (date): Date on which it was added.
--   start_date      = dim_campaign.start_date
--   end_date        = dim_campaign.end_date
--   record_error    Date error (text): Which of the dates can't be read; such a campaign was never scheduled at that time.
--   rule_id         Rule id (id): The rule, together with the dates that it is counted from (fact_rule_date); null: none.
--   rrule           = dim_campaign.rrule
--   rule_error      = dim_campaign.rule_error: Why the rule can't be read; such a campaign was never scheduled at that
--                   time.
--   is_every_day    Every day (yes or no): Whether the rule has an occurrence on every day; null without a rule.
--   from_at         Counts from (instant): Instant (UTC) from which it counts: 1970-01-01 for what the first listing of the
--                   group or zone said.
--   until_at        Counts until (instant): Instant (UTC) of the first listing that said otherwise; null: it still counts.
--   seen_from_at    Seen from (instant): Instant of the first listing that said so, in UTC.
--   last_seen_at    Last seen (instant): Instant of the last listing that said so, in UTC.

select
    s.kind,
    s.owner_kind,
    s.owner_id,
    s.campaign_id * 4 + case s.kind when 'signage' then 1 else 2 end as campaign_key,
    s.campaign_name,
    s.status,
    s.is_enabled,
    s.add_date,
    s.start_date,
    s.end_date,
    s.record_error,
    s.rule_id,
    s.rrule,
    r.rule_error,
    r.is_every_day,
    s.from_at,
    s.until_at,
    s.seen_from_at,
    s.last_seen_at
from core.listing_span as s
left join core.campaign_rule as r on r.rule_id = s.rule_id
