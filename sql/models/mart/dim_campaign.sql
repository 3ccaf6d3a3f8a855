-- One row per campaign that was ever listed, with the data from its latest listing. For its data on earlier days, see
-- fact_listed_campaign.
--
-- Grain: campaign_key
-- Reads: core.campaign_rule, core.listing_span
-- Built: whole
-- Columns:
--   campaign_key    Campaign key (id): The campaign's number combined with its kind, as in the published tables. Note:
--                   campaign_id * 4 + 1 for signage, 2 for messaging: signage campaign 7 and messaging campaign 7 are
--                   different campaigns.
--   kind            = dim_kind.kind: signage or messaging.
--   campaign_id     Campaign id (id): The service's number for the campaign.
--   campaign_name   Campaign (text): Latest name of the campaign; Campaign 123 if it has none.
--   start_date      First date (date): First date on which it may run; null: from the day after it was added.
--   end_date        Last date (date): Last date on which it may run; null: no end.
--   rrule           Rule (text): Recurrence rule for the dates in between, as the service writes it (RFC 5545); null:
--                   every day.
--   rule_error      Rule error (text): Reason why the rule or a date is unreadable; such a campaign is treated as never
--                   scheduled.
--   first_seen_at   First seen (instant): Instant of the first listing that contains it, in UTC.
--   last_seen_at    Last seen (instant): Instant of the latest listing that contains it, in UTC.
--   is_listed       Listed (yes or no): Whether the latest listing of a group or zone contains it. Archived campaigns
--                   are no longer listed.

with span as (
    select
        s.*,
        coalesce(s.record_error, r.rule_error) as rule_error,
        row_number() over (
            partition by s.kind, s.campaign_id
            order by s.last_seen_at desc, s.owner_kind, s.owner_id
        ) as newest
    from core.listing_span as s
    left join core.campaign_rule as r on r.rule_id = s.rule_id
),

-- A listing without a name does not clear the campaign's known name.
named as (
    select
        kind,
        campaign_id,
        trim(campaign_name) as campaign_name,
        row_number() over (
            partition by kind, campaign_id
            order by last_seen_at desc, owner_kind, owner_id
        ) as newest
    from core.listing_span
    where trim(campaign_name) <> ''
),

seen as (
    select
        kind,
        campaign_id,
        min(seen_from_at) as first_seen_at,
        max(last_seen_at) as last_seen_at,
        bool_or(until_at is null) as is_listed
    from core.listing_span
    group by kind, campaign_id
)

select
    n.campaign_id * 4 + case n.kind when 'signage' then 1 else 2 end as campaign_key,
    n.kind,
    n.campaign_id,
    coalesce(m.campaign_name, 'Campaign ' || cast(n.campaign_id as varchar)) as campaign_name,
    n.start_date,
    n.end_date,
    n.rrule,
    n.rule_error,
    s.first_seen_at,
    s.last_seen_at,
    s.is_listed
from span as n
inner join seen as s on s.kind = n.kind and s.campaign_id = n.campaign_id
left join named as m on m.kind = n.kind and m.campaign_id = n.campaign_id and m.newest = 1
where n.newest = 1
