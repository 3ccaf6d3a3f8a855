-- Rules to expand, with the period to cover. Rules are expanded if their dates do not cover all days of zones, or were
-- computed by another version of the expansion.
-- Reads: core.campaign_listing, core.campaign_rule, core.zone_day
-- Leaves: nothing
with known as (
    select
        min(date) as first_date,
        max(date) as last_date
    from core.zone_day
),

listed as (
    select
        cast(cast(min(requested_at) as date) - interval '31' day as date) as first_date,
        cast(max(requested_at) as date) as last_date
    from core.campaign_listing
),

needed as (
    -- Covers the days of zones and the dates of listings, either of which may be missing, and 60 days ahead for
    -- schedules. Rules are expanded for a month more than needed, so that they are not expanded again every day.
    select
        least(coalesce(k.first_date, l.first_date), coalesce(l.first_date, k.first_date)) as first_date,
        greatest(coalesce(k.last_date, l.last_date), coalesce(l.last_date, k.last_date)) as last_date
    from known as k
    cross join listed as l
)

select
    r.rule_id as "ruleId",
    r.rrule,
    cast(r.start_date as varchar) as "startDate",
    cast(r.add_date as varchar) as "addDate",
    cast(n.first_date as varchar) as "from",
    cast(cast(n.last_date + interval '92' day as date) as varchar) as "to"
from core.campaign_rule as r
cross join needed as n
where
    r.expanded_from > n.first_date
    or r.expanded_to < cast(n.last_date + interval '61' day as date)
    or r.expanded_by is distinct from cast(? as varchar)
order by r.rule_id
