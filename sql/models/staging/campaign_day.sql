-- One row per kind, zone, local day and campaign listed on the day or first after it: whether it was scheduled, and
-- whether the first listing after the day disagrees.
--
-- Grain: kind, zone_id, date, campaign_key
-- Reads: staging.linked_day, staging.listed_day
-- Built: view
-- Columns:
--   kind           signage or messaging.
--   zone_id        The zone.
--   date           Local day.
--   campaign_key   The campaign (dim_campaign).
--   is_scheduled   Scheduled by the listing in force at the start of the day.
--   is_doubtful    Scheduled on the day, but not by the first listing after it. A campaign that left the listing after
--                  its end date is not doubtful.

with linked as (
    select
        kind,
        zone_id,
        date,
        owner_kind,
        owner_id,
        campaign_key,
        bool_or(is_at_start) as is_at_start,
        bool_or(is_after) as is_after
    from staging.linked_day
    group by kind, zone_id, date, owner_kind, owner_id, campaign_key
),

-- One row per listing owner.
by_owner as (
    select
        s.kind,
        s.zone_id,
        s.date,
        s.campaign_key,
        coalesce(bool_or(s.is_at_start and s.is_fit and l.is_at_start), false) as is_scheduled,
        bool_or(s.is_after) as is_listed_after,
        bool_or(s.is_after and s.is_fit and l.is_after) as is_scheduled_after,
        bool_or(s.is_at_start and s.is_over) as is_over
    from staging.listed_day as s
    left join linked as l
        on l.kind = s.kind
        and l.zone_id = s.zone_id
        and l.date = s.date
        and l.owner_kind = s.owner_kind
        and l.owner_id = s.owner_id
        and l.campaign_key = s.campaign_key
    group by s.kind, s.zone_id, s.date, s.owner_kind, s.owner_id, s.campaign_key
)

select
    kind,
    zone_id,
    date,
    campaign_key,
    bool_or(is_scheduled) as is_scheduled,
    bool_or(is_scheduled)
    and not bool_or(
        case
            -- There is no listing after the day yet.
            when is_listed_after is null then is_scheduled
            when not is_listed_after then is_scheduled and is_over
            else coalesce(is_scheduled_after, false)
        end
    ) as is_doubtful
from by_owner
group by kind, zone_id, date, campaign_key
