-- Booked against delivered plays by any of campaign, zone, group, location and city: for the lines of
-- reference/campaign_targets.csv, over the whole of their dates as far as data is known. By campaign, one row per line.
-- Columns that rows are not grouped by are null. By place, a line without scheduled zone days has no row.
--
-- Reads: bridge_zone_kind, bridge_zone_listing, campaign_slot, dim_campaign, dim_campaign_target, dim_date, dim_group,
--   dim_location, dim_zone, fact_campaign_zone_day, fact_listed_asset, fact_listed_campaign, fact_rule_date,
--   fact_zone_day_listing, mart_info, p, zone_key
-- Attributes: zone, campaign
-- By:
--   campaign   kind, campaign_key, campaign_id, campaign_name, valid_from, valid_to
--   zone       zone_id, zone_name
--   group      group_id, group_name
--   location   location_id, location_name
--   city       city
-- Columns:
--   kind                     = dim_campaign.kind
--   campaign_key             = dim_campaign.campaign_key
--   campaign_id              = dim_campaign.campaign_id
--   campaign_name            = dim_campaign.campaign_name
--   valid_from               = dim_campaign_target.valid_from
--   valid_to                 = dim_campaign_target.valid_to
--   zone_id                  = dim_zone.zone_id
--   zone_name                = dim_zone.zone_name
--   group_id                 = dim_group.group_id
--   group_name               = dim_group.group_name
--   location_id              = dim_location.location_id
--   location_name            = dim_location.location_name
--   city                     = dim_location.city
--   status                   Status (text): upcoming, running or ended, on the day of the data; blank if lines differ.
--   booked                   Booked (number): Plays booked over the dates of the line. Note: A total is spread evenly
--                            over all scheduled zone days, also to divide it among zones; plays per zone day are
--                            multiplied by them. Blank without booked plays or an end.
--   expected                 Expected so far (number): Share of the booked plays that is due on the settled zone days.
--                            Note: Booked × settled ÷ scheduled zone days. For a line without scheduled zone days:
--                            booked × its settled days ÷ all its days.
--   delivered                Delivered so far (number): Weighted plays on settled zone days: a play of a shared asset
--                            counts once over all campaigns. Note: As weighted_plays of plays by campaign. Plays on
--                            days on which the campaign was not scheduled do not count. Blank without booked plays.
--   delivered_share          Delivered share (share): Delivered ÷ expected so far; 100 % is on plan.
--   difference               Difference (number): Delivered − expected so far; below 0 is under-delivery.
--   difference_share         Difference share (share): Difference ÷ expected so far.
--   pending_plays            Pending plays (number): Weighted plays on scheduled zone days that are not settled yet, so
--                            neither delivered nor expected.
--   projected                Projected (count): Plays to be delivered by the end of the line. Note: Delivered, plus its
--                            rate per settled zone day × the scheduled zone days that remain. Blank if they remain and
--                            fewer than 7 dates are settled, or if the line has no end.
--   projected_low            Projected, low (count): Lower end of the projection's range. Note: Projected − 2 standard
--                            errors, from the variation between the settled dates in plays per zone day; at least the
--                            plays so far. In a row of several lines, their errors count as independent.
--   projected_high           Projected, high (count): Upper end of the projection's range: projected + 2 standard
--                            errors.
--   plays_per_zone_day       = dim_campaign_target.plays_per_zone_day: Booked plays per scheduled zone day. Note: Blank
--                            if lines differ.
--   delivered_per_zone_day   Delivered per zone day (number): Delivered ÷ settled zone days, over lines with booked
--                            plays.
--   compliance               Compliance (share): Days that ran ÷ (days that ran + missed + missed while down). Note:
--                            Closed, pending and not measurable days are left out.
--   compliance_target        = dim_campaign_target.compliance: Compliance to reach. Note: Blank if lines differ.
--   compliance_difference    Compliance difference (share): Compliance − agreed compliance.
--   scheduled_days           Scheduled days (count): Zone days of the line on which the campaign was scheduled, or
--                            will be according to the newest listings. Note: More than 60 days after the data: as many
--                            per day as in these 60. Blank without an end.
--   settled_days             Settled days (count): Scheduled zone days that are neither pending nor not measurable.
--                            Note: Closed days are settled. The others count as remaining, not as missing.

with data_day as (
    select
        cast(coalesce(data_as_of, built_at) as date) as today,
        -- Rules are expanded up to this day.
        cast(cast(coalesce(data_as_of, built_at) as date) + interval '60' day as date) as known_to
    from mart_info
),

asked_line as (
    select
        t.campaign_key,
        t.valid_from,
        t.valid_to,
        t.plays,
        t.plays_per_zone_day,
        t.compliance,
        t.plays is not null or t.plays_per_zone_day is not null as is_booked,
        c.kind,
        case when p.by_slot_1 then c.slot_1 end as slot_1,
        case when p.by_slot_2 then c.slot_2 end as slot_2,
        case when p.by_slot_3 then c.slot_3 end as slot_3,
        d.today,
        d.known_to,
        case when t.valid_from > d.today then t.valid_from else cast(d.today + interval '1' day as date) end
            as ahead_from,
        -- The last day on which the campaign can be scheduled.
        case when c.end_date < t.valid_to then c.end_date else t.valid_to end as ahead_to,
        case when t.valid_from > d.today then 'upcoming' when t.valid_to < d.today then 'ended' else 'running' end
            as status
    from p
    cross join data_day as d
    cross join dim_campaign_target as t
    inner join campaign_slot as c on c.campaign_key = t.campaign_key
),

line as (
    select l.*
    from p
    inner join asked_line as l on p.states = '' or position(',' || l.status || ',' in p.states) > 0
),

-- The last day for which the schedule of a zone was already determined.
determined as (
    select
        z.kind,
        z.zone_id,
        max(z.date) as known_to
    from data_day as d
    inner join fact_zone_day_listing as z on z.date >= cast(d.today - interval '7' day as date)
    group by z.kind, z.zone_id
),

-- Zones with rows in bridge_zone_kind, which play only the kinds listed there.
given_zone as (
    select distinct zone_id
    from bridge_zone_kind
),

-- Future days on which the newest listing of a group or zone schedules the campaign.
owner_day as (
    select distinct
        l.campaign_key,
        l.valid_from,
        l.today,
        s.kind,
        s.owner_kind,
        s.owner_id,
        d.date
    from line as l
    inner join dim_date as d on d.date between l.today and l.known_to and d.date between l.valid_from and l.valid_to
    inner join fact_listed_campaign as s
        on s.campaign_key = l.campaign_key
        and s.until_at is null
        and s.is_enabled
        and s.record_error is null
        and s.rule_error is null
        and d.date >= coalesce(
            s.start_date, cast(s.add_date + interval '1' day as date), date '1900-01-01'
        )
        and d.date <= coalesce(s.end_date, date '9999-12-31')
    inner join fact_listed_asset as a
        on a.owner_kind = s.owner_kind
        and a.owner_id = s.owner_id
        and a.campaign_key = s.campaign_key
        and a.until_at is null
        and d.date >= coalesce(a.start_date, date '1900-01-01')
        and d.date <= coalesce(a.end_date, date '9999-12-31')
    left join fact_rule_date as o on o.rule_id = s.rule_id and o.date = d.date
    where s.rule_id is null or s.is_every_day or o.date is not null
),

coming as (
    select distinct
        d.campaign_key,
        d.valid_from,
        b.zone_id,
        d.date
    from owner_day as d
    inner join bridge_zone_listing as b
        on b.kind = d.kind and b.owner_kind = d.owner_kind and b.owner_id = d.owner_id
    left join determined as n on n.kind = b.kind and n.zone_id = b.zone_id
    left join given_zone as g on g.zone_id = b.zone_id
    left join bridge_zone_kind as k
        on k.zone_id = b.zone_id and k.kind = b.kind and d.date between k.valid_from and k.valid_to
    where d.date > coalesce(n.known_to, d.today) and (g.zone_id is null or k.zone_id is not null)
),

-- One row per line, zone and scheduled day. Whole plays and their fraction (in 10^-11 plays) are separate integers,
-- because a sum of integers does not depend on their order.
cell as (
    select
        l.campaign_key,
        l.valid_from,
        f.zone_id,
        f.date,
        f.state,
        cast(floor(f.weighted_plays) as bigint) as whole_plays,
        cast(round((f.weighted_plays - floor(f.weighted_plays)) * 1e11) as bigint) as part_plays
    from line as l
    inner join fact_campaign_zone_day as f
        on f.campaign_key = l.campaign_key
        and f.date between l.valid_from and l.valid_to
        and f.state <> 'unscheduled'
    union all
    select
        campaign_key,
        valid_from,
        zone_id,
        date,
        'coming' as state,
        0 as whole_plays,
        0 as part_plays
    from coming
),

-- Zone days of each line over all zones.
line_days as (
    select
        campaign_key,
        valid_from,
        count(*) as scheduled_days,
        count(case when state = 'coming' then 1 end) as coming_days
    from cell
    group by campaign_key, valid_from
),

dated as (
    select
        c.campaign_key,
        c.valid_from,
        z.key_slot_1,
        z.key_slot_2,
        z.key_slot_3,
        z.key_zone_id,
        z.key_group_id,
        z.key_location_id,
        z.key_city,
        c.date,
        count(*) as scheduled_days,
        count(case when c.state = 'coming' then 1 end) as coming_days,
        count(case when c.state not in ('coming', 'pending', 'not_measurable') then 1 end) as settled_days,
        count(case when c.state = 'compliant' then 1 end) as compliant_days,
        count(case when c.state in ('compliant', 'missed', 'missed_offline') then 1 end) as measured_days,
        cast(coalesce(sum(case when c.state <> 'pending' then c.whole_plays end), 0) as bigint) as whole_plays,
        cast(coalesce(sum(case when c.state <> 'pending' then c.part_plays end), 0) as bigint) as part_plays,
        cast(coalesce(sum(case when c.state = 'pending' then c.whole_plays end), 0) as bigint) as whole_pending,
        cast(coalesce(sum(case when c.state = 'pending' then c.part_plays end), 0) as bigint) as part_pending
    from cell as c
    inner join zone_key as z on z.zone_id = c.zone_id
    group by
        c.campaign_key, c.valid_from, z.key_slot_1, z.key_slot_2, z.key_slot_3, z.key_zone_id, z.key_group_id,
        z.key_location_id, z.key_city, c.date
),

-- Plays per settled zone day in whole thousandths, so that these sums do not depend on their order either.
rated as (
    select
        dated.*,
        case
            when settled_days > 0
                then
                    cast(
                        round(
                            (cast(whole_plays as double) + cast(part_plays as double) / 1e11) * 1000
                            / cast(settled_days as double)
                        ) as double
                    )
        end as rate
    from dated
),

summed as (
    select
        campaign_key,
        valid_from,
        key_slot_1,
        key_slot_2,
        key_slot_3,
        key_zone_id,
        key_group_id,
        key_location_id,
        key_city,
        cast(sum(scheduled_days) as bigint) as scheduled_days,
        cast(sum(coming_days) as bigint) as coming_days,
        cast(sum(settled_days) as bigint) as settled_days,
        cast(sum(compliant_days) as bigint) as compliant_days,
        cast(sum(measured_days) as bigint) as measured_days,
        -- In millionths of plays.
        cast(sum(whole_plays) as bigint) * 1000000 + cast(round(cast(sum(part_plays) as double) / 1e5) as bigint)
            as delivered,
        cast(sum(whole_pending) as bigint) * 1000000 + cast(round(cast(sum(part_pending) as double) / 1e5) as bigint)
            as pending,
        count(case when settled_days > 0 then 1 end) as settled_dates,
        cast(sum(rate) as double) as rates,
        cast(sum(rate * rate) as double) as square_rates
    from rated
    group by
        campaign_key, valid_from, key_slot_1, key_slot_2, key_slot_3, key_zone_id, key_group_id, key_location_id,
        key_city
    union all
    select
        l.campaign_key,
        l.valid_from,
        cast(null as varchar) as key_slot_1,
        cast(null as varchar) as key_slot_2,
        cast(null as varchar) as key_slot_3,
        cast(null as bigint) as key_zone_id,
        cast(null as bigint) as key_group_id,
        cast(null as bigint) as key_location_id,
        cast(null as varchar) as key_city,
        0 as scheduled_days,
        0 as coming_days,
        0 as settled_days,
        0 as compliant_days,
        0 as measured_days,
        0 as delivered,
        0 as pending,
        0 as settled_dates,
        cast(null as double) as rates,
        cast(null as double) as square_rates
    from p
    cross join line as l
    left join line_days as d on d.campaign_key = l.campaign_key and d.valid_from = l.valid_from
    where
        d.campaign_key is null
        and not (p.by_zone or p.by_group or p.by_location or p.by_city)
        and p.zone_ids = ''
        and p.group_ids = ''
        and p.location_ids = ''
        and 'zone' not in (p.slot_1_of, p.slot_2_of, p.slot_3_of)
),

-- The last day that is settled in any zone.
settled as (
    select
        kind,
        cast(cast(max(settled_until) as date) - interval '1' day as date) as settled_to
    from bridge_zone_listing
    group by kind
),

measured as (
    select
        s.*,
        l.kind,
        l.plays,
        l.plays_per_zone_day,
        l.compliance,
        l.is_booked,
        l.status,
        l.valid_to,
        l.slot_1,
        l.slot_2,
        l.slot_3,
        -- Scheduled zone days up to the end, in the row and in all zones; null: the line has no end.
        case
            when l.ahead_to < date '2099-12-31'
                then s.scheduled_days + s.coming_days * (f.days_ahead - 1)
        end as all_days,
        case
            when l.ahead_to < date '2099-12-31'
                then coalesce(d.scheduled_days, 0) + coalesce(d.coming_days, 0) * (f.days_ahead - 1)
        end as line_days,
        case
            when t.settled_to >= l.valid_to then cast(1 as double)
            when t.settled_to >= l.valid_from
                then
                    cast(date_diff('day', cast(l.valid_from as date), cast(t.settled_to as date)) + 1 as double)
                    / cast(date_diff('day', cast(l.valid_from as date), cast(l.valid_to as date)) + 1 as double)
            else cast(0 as double)
        end as settled_share
    from summed as s
    inner join line as l on l.campaign_key = s.campaign_key and l.valid_from = s.valid_from
    -- Ratio of future zone days to known ones: more than 1 if the line ends after the last known day.
    inner join (
        select
            campaign_key,
            valid_from,
            case
                when ahead_to > known_to and ahead_from <= known_to
                    then
                        cast(date_diff('day', cast(ahead_from as date), cast(ahead_to as date)) + 1 as double)
                        / cast(date_diff('day', cast(ahead_from as date), cast(known_to as date)) + 1 as double)
                else cast(1 as double)
            end as days_ahead
        from line
    ) as f on f.campaign_key = l.campaign_key and f.valid_from = l.valid_from
    left join line_days as d on d.campaign_key = l.campaign_key and d.valid_from = l.valid_from
    left join settled as t on t.kind = l.kind
),

-- Plays booked per zone day, and the days that remain.
planned as (
    select
        measured.*,
        all_days - settled_days as remaining_days,
        case
            when settled_dates > 1 and square_rates > rates * rates / cast(settled_dates as double)
                then
                    (square_rates - rates * rates / cast(settled_dates as double))
                    / cast((settled_dates - 1) * 1000000 as double)
            else cast(0 as double)
        end as variance,
        case
            when plays is not null then cast(plays as double) / cast(nullif(line_days, 0) as double)
            else plays_per_zone_day
        end as booked_per_day
    from measured
),

-- In millionths of plays, with bookings rounded to hundredths, except for the square of the standard error, in plays.
projected as (
    select
        planned.*,
        case
            when plays is not null and line_days = 0 then plays * 1000000
            else cast(round(booked_per_day * all_days * 100) as bigint) * 10000
        end as booked,
        case
            when plays is not null and line_days = 0
                then cast(round(cast(plays as double) * settled_share * 100) as bigint) * 10000
            else cast(round(booked_per_day * settled_days * 100) as bigint) * 10000
        end as expected,
        case
            when settled_days > 0 and remaining_days <= 0 then cast(delivered as double)
            when settled_dates >= 7
                then
                    cast(delivered as double)
                    + cast(delivered as double) / cast(nullif(settled_days, 0) as double) * remaining_days
        end as projection,
        -- Variance of the mean of the settled dates, plus that of the remaining dates, which are assumed to have as many
        -- zone days each.
        case
            when settled_days > 0 and remaining_days <= 0 then cast(0 as double)
            else
                variance
                * remaining_days
                * (remaining_days + settled_days)
                / cast(nullif(settled_dates, 0) as double)
        end as square_error
    from planned
),

keyed as (
    select
        case when p.by_slot_1 then coalesce(r.key_slot_1, r.slot_1) end as key_slot_1,
        case when p.by_slot_2 then coalesce(r.key_slot_2, r.slot_2) end as key_slot_2,
        case when p.by_slot_3 then coalesce(r.key_slot_3, r.slot_3) end as key_slot_3,
        case when p.by_campaign then r.campaign_key end as key_campaign,
        case when p.by_campaign then r.valid_from end as key_valid_from,
        case when p.by_campaign then r.valid_to end as key_valid_to,
        r.key_zone_id,
        r.key_group_id,
        r.key_location_id,
        r.key_city,
        r.status,
        r.is_booked,
        r.plays_per_zone_day,
        r.compliance,
        r.all_days,
        r.settled_days,
        r.compliant_days,
        r.measured_days,
        case when r.is_booked then r.settled_days end as booked_settled_days,
        r.booked,
        case when r.is_booked then r.expected end as expected,
        case when r.is_booked then r.delivered end as delivered,
        case when r.is_booked then r.pending end as pending,
        case when r.is_booked then r.projection end as projection,
        case when r.is_booked then r.square_error end as square_error
    from p
    cross join projected as r
),

counted as (
    select
        key_slot_1,
        key_slot_2,
        key_slot_3,
        key_campaign,
        key_valid_from,
        key_valid_to,
        key_zone_id,
        key_group_id,
        key_location_id,
        key_city,
        case when min(status) = max(status) then min(status) end as status,
        case when min(plays_per_zone_day) = max(plays_per_zone_day) and count(plays_per_zone_day) = count(*)
            then min(plays_per_zone_day) end as plays_per_zone_day,
        case when min(compliance) = max(compliance) and count(compliance) = count(*) then min(compliance) end
            as compliance_target,
        case when count(all_days) = count(*) then cast(sum(all_days) as double) end as scheduled_days,
        cast(sum(settled_days) as bigint) as settled_days,
        cast(sum(compliant_days) as bigint) as compliant_days,
        cast(sum(measured_days) as bigint) as measured_days,
        cast(sum(booked_settled_days) as bigint) as booked_settled_days,
        case when count(booked) = count(case when is_booked then 1 end) then cast(sum(booked) as bigint) end as booked,
        cast(sum(expected) as bigint) as expected,
        cast(sum(delivered) as bigint) as delivered,
        cast(sum(pending) as bigint) as pending,
        case when count(projection) = count(case when is_booked then 1 end) then cast(sum(projection) as double) end
            as projection,
        2 * sqrt(cast(sum(square_error) as double)) * 1000000 as two_errors
    from keyed
    group by
        key_slot_1, key_slot_2, key_slot_3, key_campaign, key_valid_from, key_valid_to, key_zone_id, key_group_id,
        key_location_id, key_city
),

-- A projection is never below the plays so far.
bounded as (
    select
        counted.*,
        case when projection < delivered + pending then cast(delivered + pending as double) else projection end
            as projected,
        case
            when projection - two_errors < delivered + pending then cast(delivered + pending as double)
            else projection - two_errors
        end as projected_low,
        case
            when projection + two_errors < delivered + pending then cast(delivered + pending as double)
            else projection + two_errors
        end as projected_high
    from counted
)

select
    s.key_slot_1 as attribute_1,
    s.key_slot_2 as attribute_2,
    s.key_slot_3 as attribute_3,
    n.kind,
    s.key_campaign as campaign_key,
    n.campaign_id,
    n.campaign_name,
    nullif(s.key_valid_from, date '1900-01-01') as valid_from,
    nullif(s.key_valid_to, date '2099-12-31') as valid_to,
    s.key_zone_id as zone_id,
    z.zone_name,
    s.key_group_id as group_id,
    g.group_name,
    s.key_location_id as location_id,
    l.location_name,
    s.key_city as city,
    s.status,
    cast(s.booked as double) / 1000000 as booked,
    cast(s.expected as double) / 1000000 as expected,
    cast(s.delivered as double) / 1000000 as delivered,
    cast(s.delivered as double) / nullif(s.expected, 0) as delivered_share,
    cast(s.delivered - s.expected as double) / 1000000 as difference,
    cast(s.delivered - s.expected as double) / nullif(s.expected, 0) as difference_share,
    cast(s.pending as double) / 1000000 as pending_plays,
    cast(round(cast(s.projected as double) / 1000000) as bigint) as projected,
    cast(round(cast(s.projected_low as double) / 1000000) as bigint) as projected_low,
    cast(round(cast(s.projected_high as double) / 1000000) as bigint) as projected_high,
    s.plays_per_zone_day,
    cast(round(cast(s.delivered as double) / nullif(s.booked_settled_days * 10000, 0)) as double) / 100
        as delivered_per_zone_day,
    cast(s.compliant_days as double) / nullif(s.measured_days, 0) as compliance,
    s.compliance_target,
    cast(s.compliant_days as double) / nullif(s.measured_days, 0) - s.compliance_target as compliance_difference,
    cast(round(s.scheduled_days) as bigint) as scheduled_days,
    s.settled_days
from bounded as s
left join dim_campaign as n on n.campaign_key = s.key_campaign
left join dim_zone as z on z.zone_id = s.key_zone_id
left join dim_group as g on g.group_id = s.key_group_id
left join dim_location as l on l.location_id = s.key_location_id
order by
    s.key_slot_1,
    s.key_slot_2,
    s.key_slot_3,
    n.kind,
    n.campaign_id,
    s.key_valid_from,
    s.key_zone_id,
    s.key_group_id,
    s.key_location_id,
    s.key_city
