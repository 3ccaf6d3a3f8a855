-- One row per campaign, zone and local day on which the campaign was scheduled or played: its state and its plays. A
-- candidate play is a play of an asset that is linked to the campaign and active on the day. Candidates are used
-- because history does not identify campaigns.
--
-- Grain: campaign_key, zone_id, date
-- Reads: mart.bridge_zone_listing, mart.fact_impression_hour, mart.fact_play_day, mart.fact_zone_day_listing,
--   staging.campaign_day, staging.campaign_time, staging.linked_day
-- Built: day of campaigns
-- Published: by month, ordered by zone_id, date, campaign_key
-- Columns:
--   campaign_key      = dim_campaign.campaign_key: The campaign.
--   kind              = dim_campaign.kind
--   zone_id           = dim_zone.zone_id: The zone.
--   date              = dim_date.date: Local day of the zone.
--   state             State (text): Outcome of the day: the first state that applies. Note: In this order: unscheduled,
--                     pending, compliant, closed, not_measurable, missed_offline or missed.
--   reason            Reason (text): Why the campaign did not run or the day has no result: the first reason that
--                     applies. Note: Null for compliant and unscheduled days. A missed day is not_due_while_open,
--                     zone_silent (nothing played), kind_silent (nothing of the kind) or other_content.
--   is_assumed        Assumed (yes or no): Whether the schedule is taken from the zone's first listing or from its
--                     groups' listings, because the zone had no listing of its own yet.
--   candidate_plays   Candidate plays (count): Plays, in the zone, of the campaign's assets that are active on the day.
--                     Note: For an unscheduled campaign, only those that no scheduled campaign can claim.
--   play_seconds      = fact_play_day.play_seconds: Total duration of the candidate plays.
--   exclusive_plays   Exclusive plays (count): Candidate plays that no other scheduled campaign can claim. Note: 0 for
--                     an unscheduled campaign.
--   weighted_plays    Weighted plays (number): Candidate plays, each divided by the number of scheduled campaigns that
--                     can claim it. Note: 0 for an unscheduled campaign.
--   weighted_seconds  Weighted seconds (number): Duration of the candidate plays in seconds, each divided by the number
--                     of scheduled campaigns that can claim it. Note: 0 for an unscheduled campaign.
--   covered_plays     Covered plays (number): Weighted plays that began at a time with footfall.
--   impressions       = fact_impression_hour.impressions: People near during each covered play, weighted like the play
--                     and added up; null without covered plays.
--   complete_plays    = fact_play_day.complete_plays: Measured candidate plays that lasted at least the asset's length,
--                     less 1 second.
--   measured_plays    = fact_play_day.measured_plays: Candidate plays of an asset whose length is known.
--   active_assets     Active assets (count): Linked assets that are active on the day.
--   played_assets     Played assets (count): Active assets with a candidate play.
--   due_times         Due times (count): Times of day in the campaign's rule at which the zone was open. Note: Null if
--                     the rule has no times, and for an unscheduled campaign.
--   met_times         Met times (count): Due times met by a candidate play: it began then, or less than
--                     VENUE_SLOT_MINUTES later, on the same day.

with day as (
    select
        d.kind,
        d.zone_id,
        d.date,
        d.end_at,
        d.has_plays,
        d.is_closed,
        d.is_closed_by_hours,
        d.is_up,
        d.is_down,
        bool_or(d.is_assumed) as is_assumed,
        max(l.settled_until) as settled_until
    from mart.fact_zone_day_listing as d
    inner join mart.bridge_zone_listing as l
        on l.kind = d.kind and l.zone_id = d.zone_id and l.owner_kind = d.owner_kind and l.owner_id = d.owner_id
    group by d.kind, d.zone_id, d.date, d.end_at, d.has_plays, d.is_closed, d.is_closed_by_hours, d.is_up, d.is_down
),

linked as (
    select distinct
        kind,
        zone_id,
        date,
        campaign_key,
        item_key
    from staging.linked_day
    where is_in_day
),

played as (
    select
        kind,
        zone_id,
        date,
        item_key,
        cast(sum(plays) as bigint) as plays,
        cast(sum(play_seconds) as bigint) as play_seconds,
        cast(sum(complete_plays) as bigint) as complete_plays,
        cast(sum(measured_plays) as bigint) as measured_plays
    from mart.fact_play_day
    where kind <> 'music'
    group by kind, zone_id, date, item_key
),

-- Plays at times with footfall, and their impressions in 3,600,000ths.
covered as (
    select
        kind,
        zone_id,
        date,
        item_key,
        cast(sum(covered_plays) as bigint) as plays,
        cast(sum(cast(round(impressions * 3600000) as bigint)) as bigint) as people
    from mart.fact_impression_hour
    group by kind, zone_id, date, item_key
),

-- Plays that each campaign can claim, and the number of scheduled campaigns that can claim them.
claim as (
    select
        l.kind,
        l.zone_id,
        l.date,
        l.campaign_key,
        c.is_scheduled,
        c.is_doubtful,
        p.plays,
        p.play_seconds,
        p.complete_plays,
        p.measured_plays,
        k.plays as covered_plays,
        k.people,
        count(case when c.is_scheduled then 1 end) over (
            partition by l.kind, l.zone_id, l.date, l.item_key
        ) as claimants
    from linked as l
    inner join staging.campaign_day as c
        on c.kind = l.kind and c.zone_id = l.zone_id and c.date = l.date and c.campaign_key = l.campaign_key
    left join played as p
        on p.kind = l.kind and p.zone_id = l.zone_id and p.date = l.date and p.item_key = l.item_key
    left join covered as k
        on k.kind = l.kind and k.zone_id = l.zone_id and k.date = l.date and k.item_key = l.item_key
),

-- Each scheduled campaign's part of the plays that it can claim, and of their seconds. Whole units and the rest in
-- 10^15ths are separate integers, because a sum of integers, unlike a sum of fractions, does not depend on their order.
shared as (
    select
        claim.*,
        floor(cast(plays as double) / nullif(claimants, 0)) as whole_plays,
        cast(round(cast(plays % nullif(claimants, 0) as double) / nullif(claimants, 0) * 1e15) as bigint) as part_plays,
        floor(cast(play_seconds as double) / nullif(claimants, 0)) as whole_seconds,
        cast(round(cast(play_seconds % nullif(claimants, 0) as double) / nullif(claimants, 0) * 1e15) as bigint)
            as part_seconds,
        floor(cast(covered_plays as double) / nullif(claimants, 0)) as whole_covered,
        cast(round(cast(covered_plays % nullif(claimants, 0) as double) / nullif(claimants, 0) * 1e15) as bigint)
            as part_covered,
        cast(round(cast(people as double) / nullif(claimants, 0)) as bigint) as claimed_people
    from claim
),

claimed as (
    select
        kind,
        zone_id,
        date,
        campaign_key,
        bool_or(is_scheduled) as is_scheduled,
        bool_or(is_doubtful) as is_doubtful,
        cast(coalesce(sum(case when is_scheduled or claimants = 0 then plays end), 0) as bigint) as candidate_plays,
        cast(coalesce(sum(case when is_scheduled or claimants = 0 then play_seconds end), 0) as bigint) as play_seconds,
        cast(coalesce(sum(case when is_scheduled and claimants = 1 then plays end), 0) as bigint) as exclusive_plays,
        cast(coalesce(sum(case when is_scheduled then whole_plays end), 0) as double)
        + cast(cast(coalesce(sum(case when is_scheduled then part_plays end), 0) as bigint) as double) / 1e15
            as weighted_plays,
        cast(coalesce(sum(case when is_scheduled then whole_seconds end), 0) as double)
        + cast(cast(coalesce(sum(case when is_scheduled then part_seconds end), 0) as bigint) as double) / 1e15
            as weighted_seconds,
        cast(coalesce(sum(case when is_scheduled then whole_covered end), 0) as double)
        + cast(cast(coalesce(sum(case when is_scheduled then part_covered end), 0) as bigint) as double) / 1e15
            as covered_plays,
        cast(cast(sum(case when is_scheduled then claimed_people end) as bigint) as double) / 3600000 as impressions,
        cast(coalesce(sum(case when is_scheduled or claimants = 0 then complete_plays end), 0) as bigint)
            as complete_plays,
        cast(coalesce(sum(case when is_scheduled or claimants = 0 then measured_plays end), 0) as bigint)
            as measured_plays,
        count(*) as active_assets,
        count(case when is_scheduled or claimants = 0 then plays end) as played_assets
    from shared
    group by kind, zone_id, date, campaign_key
),

-- Counts of due and met times, for campaigns whose rules have times of day.
timed as (
    select
        kind,
        zone_id,
        date,
        campaign_key,
        count(case when is_due then 1 end) as due_times,
        count(case when is_met then 1 end) as met_times
    from staging.campaign_time
    group by kind, zone_id, date, campaign_key
),

kind_played as (
    select distinct
        kind,
        zone_id,
        date
    from played
),

stated as (
    select
        a.*,
        case
            when not a.is_scheduled then 'unscheduled'
            when d.settled_until is null or d.settled_until < d.end_at then 'pending'
            when a.candidate_plays > 0 then 'compliant'
            when d.is_closed then 'closed'
            when a.is_doubtful or not (d.has_plays or d.is_up or d.is_down) then 'not_measurable'
            when d.is_down and not d.is_up then 'missed_offline'
            else 'missed'
        end as state,
        d.has_plays,
        d.is_closed_by_hours,
        d.is_assumed,
        case when a.is_scheduled then t.due_times end as due_times,
        case when a.is_scheduled then t.met_times end as met_times
    from claimed as a
    inner join day as d on d.kind = a.kind and d.zone_id = a.zone_id and d.date = a.date
    left join timed as t
        on t.kind = a.kind and t.zone_id = a.zone_id and t.date = a.date and t.campaign_key = a.campaign_key
    where a.is_scheduled or a.candidate_plays > 0
)

select
    s.campaign_key,
    s.kind,
    s.zone_id,
    s.date,
    s.state,
    case
        when s.state = 'pending' then 'not_settled'
        when s.state = 'closed' and s.is_closed_by_hours then 'closed_by_hours'
        when s.state = 'closed' then 'closed_by_habit'
        when s.state = 'not_measurable' and s.is_doubtful then 'listings_disagree'
        when s.state = 'not_measurable' then 'device_unknown'
        when s.state = 'missed_offline' then 'device_down'
        when s.state = 'missed' and s.due_times = 0 then 'not_due_while_open'
        when s.state = 'missed' and not s.has_plays then 'zone_silent'
        when s.state = 'missed' and k.zone_id is null then 'kind_silent'
        when s.state = 'missed' then 'other_content'
    end as reason,
    s.is_assumed,
    s.candidate_plays,
    s.play_seconds,
    s.exclusive_plays,
    s.weighted_plays,
    s.weighted_seconds,
    s.covered_plays,
    s.impressions,
    s.complete_plays,
    s.measured_plays,
    s.active_assets,
    s.played_assets,
    s.due_times,
    s.met_times
from stated as s
left join kind_played as k on k.kind = s.kind and k.zone_id = s.zone_id and k.date = s.date
