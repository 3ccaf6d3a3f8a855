-- One row per listing owner (group or zone), campaign and unbroken span in which the campaign's data in the listings
-- did not change.
--
-- Grain: kind, owner_kind, owner_id, campaign_key, from_at
-- Reads: core.campaign_rule, core.listing_span
-- Built: whole
-- Columns:
--   kind            = dim_campaign.kind
--   owner_kind      Owner type (text): Owner of the listing: zone or group.
--   owner_id        Owner id (id): The zone (dim_zone) or the group (dim_group).
--   campaign_key    = dim_campaign.campaign_key: The campaign.
--   campaign_name   Campaign (text): The campaign's name in this span, if any.
--   status          Status (text): Campaign status in the service's words.
--   is_enabled      Enabled (yes or no): Whether the campaign runs in this status.
--   add_date        Added (date): Date on which it was added.
--   start_date      = dim_campaign.start_date
--   end_date        = dim_campaign.end_date
--   record_error    Date error (text): Unreadable dates; such a campaign is not scheduled in this span.
--   rule_id         Rule id (id): The rule and the dates from which it is counted (fact_rule_date); null: no rule.
--   rrule           = dim_campaign.rrule
--   rule_error      = dim_campaign.rule_error: Reason why the rule is unreadable; such a campaign is not scheduled in
--                   this span.
--   is_every_day    Every day (yes or no): Whether the rule has an occurrence every day; null without a rule.
--   from_at         Valid from (instant): Instant (UTC) from which the data applies; 1970-01-01 for the first listing
--                   of the group or zone.
--   until_at        Valid until (instant): Instant (UTC) of the first listing with other data; null: it still applies.
--   seen_from_at    Seen from (instant): Instant of the first listing with this data, in UTC.
--   last_seen_at    Last seen (instant): Instant of the last listing with this data, in UTC.

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
