-- Lines of reference/campaign_targets.csv with booked and delivered plays, grouped by any keys of lines and zones. If
-- grouped by place, a line without scheduled zone days has no row.

with data_day as (
    select
        cast(coalesce(data_as_of, built_at) as date) as today,
        -- Rules are expanded up to this day.
        cast(cast(coalesce(data_as_of, built_at) as date) + interval '60' day as date) as known_to
    from mart_info
),

target as (
    select
        t.*,
        t.plays is not null or t.plays_per_zone_day is not null as is_booked,
        c.kind,
        d.today as date,
        d.known_to,
        case when t.valid_from > d.today then t.valid_from else cast(d.today + interval '1' day as date) end
            as ahead_from,
        -- The last day on which the campaign can be scheduled.
        case when c.end_date < t.valid_to then c.end_date else t.valid_to end as ahead_to,
        case when t.valid_from > d.today then 'upcoming' when t.valid_to < d.today then 'ended' else 'running' end
            as status
    from data_day as d
    cross join dim_campaign_target as t
    inner join dim_campaign as c on c.campaign_key = t.campaign_key
),

line as (
    select f.*
    from target as f{{line_joins}}
    where true{{line_filters}}{{line_values}}{{only}}
),

-- The last day for which a zone's schedule is already determined.
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

-- Future days on which the latest listing of a group or zone schedules the campaign.
owner_day as (
    select distinct
        l.campaign_key,
        l.valid_from,
        l.date as today,
        s.kind,
        s.owner_kind,
        s.owner_id,
        d.date
    from line as l
    inner join dim_date as d on d.date between l.date and l.known_to and d.date between l.valid_from and l.valid_to
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
        cast(round((f.weighted_plays - floor(f.weighted_plays)) * 1e11) as bigint) as part_plays,
        cast(floor(f.covered_plays) as bigint) as whole_covered,
        cast(round((f.covered_plays - floor(f.covered_plays)) * 1e11) as bigint) as part_covered,
        -- In 3,600,000ths of an impression.
        cast(round(f.impressions * 3600000) as bigint) as impressions
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
        0 as part_plays,
        0 as whole_covered,
        0 as part_covered,
        cast(null as bigint) as impressions
    from coming
),

-- Zone days of each line across all zones.
line_days as (
    select
        campaign_key,
        valid_from,
        count(*) as scheduled_days,
        count(case when state = 'coming' then 1 end) as coming_days
    from cell
    group by campaign_key, valid_from
),

-- One row per zone day of a line, and one per line without zone days. Attributes are those on the day of the data.
placed as (
    select
        f.campaign_key,
        f.valid_from,
        f.day,
        f.state,
        f.whole_plays,
        f.part_plays,
        f.whole_covered,
        f.part_covered,
        f.impressions{{zone_keys}}
    from (
        select
            l.campaign_key,
            l.valid_from,
            l.date,
            c.zone_id,
            c.date as day,
            c.state,
            c.whole_plays,
            c.part_plays,
            c.whole_covered,
            c.part_covered,
            c.impressions
        from line as l
        left join cell as c on c.campaign_key = l.campaign_key and c.valid_from = l.valid_from
    ) as f{{zone_joins}}
    where (f.zone_id is not null or not {{zone_used}}){{zone_filters}}{{zone_values}}
),

dated as (
    select
        campaign_key,
        valid_from,
        day,
        count(state) as scheduled_days,
        count(case when state = 'coming' then 1 end) as coming_days,
        count(case when state not in ('coming', 'pending', 'not_measurable') then 1 end) as settled_days,
        count(case when state = 'compliant' then 1 end) as compliant_days,
        count(case when state in ('compliant', 'missed', 'missed_offline') then 1 end) as measured_days,
        cast(coalesce(sum(case when state <> 'pending' then whole_plays end), 0) as bigint) as whole_plays,
        cast(coalesce(sum(case when state <> 'pending' then part_plays end), 0) as bigint) as part_plays,
        cast(coalesce(sum(case when state = 'pending' then whole_plays end), 0) as bigint) as whole_pending,
        cast(coalesce(sum(case when state = 'pending' then part_plays end), 0) as bigint) as part_pending,
        cast(coalesce(sum(case when state <> 'pending' then whole_covered end), 0) as bigint) as whole_covered,
        cast(coalesce(sum(case when state <> 'pending' then part_covered end), 0) as bigint) as part_covered,
        cast(sum(case when state <> 'pending' then impressions end) as bigint) as impressions{{zone_names}}
    from placed
    group by campaign_key, valid_from, day{{zone_names}}
),

-- Plays per settled zone day in integer thousandths, so that these sums do not depend on the order of rows either.
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
        cast(sum(rate * rate) as double) as square_rates,
        cast(sum(whole_covered) as bigint) * 1000000 + cast(round(cast(sum(part_covered) as double) / 1e5) as bigint)
            as covered,
        cast(sum(impressions) as bigint) as delivered_impressions{{zone_names}}
    from rated
    group by campaign_key, valid_from{{zone_names}}
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
        l.impressions,
        l.is_booked,
        l.status,
        l.valid_to,
        l.date,
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
        end as booked_per_day,
        -- A total is spread evenly over all scheduled zone days, like booked plays.
        case
            when line_days = 0 then cast(impressions as double)
            else cast(impressions as double) / cast(nullif(line_days, 0) as double) * all_days
        end as booked_impressions
    from measured
),

-- In millionths of plays, with bookings rounded to hundredths. Only the square of the standard error is in plays.
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
        -- zone days per date.
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
        f.status,
        f.is_booked,
        f.plays_per_zone_day,
        f.compliance,
        f.all_days,
        f.settled_days,
        f.compliant_days,
        f.measured_days,
        case when f.is_booked then f.settled_days end as booked_settled_days,
        f.booked,
        case when f.is_booked then f.expected end as expected,
        case when f.is_booked then f.delivered end as delivered,
        case when f.is_booked then f.pending end as pending,
        case when f.is_booked then f.projection end as projection,
        case when f.is_booked then f.square_error end as square_error,
        cast(round(f.booked_impressions * 100) as bigint) as booked_impressions,
        case when f.impressions is not null then f.delivered_impressions end as delivered_impressions,
        case when f.impressions is not null then f.covered end as covered,
        case when f.impressions is not null then f.delivered end as coverable{{line_keys}}{{zone_names}}
    from projected as f{{line_joins}}
),

counted as (
    select
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
        2 * sqrt(cast(sum(square_error) as double)) * 1000000 as two_errors,
        cast(sum(booked_impressions) as bigint) as booked_impressions,
        cast(sum(delivered_impressions) as bigint) as delivered_impressions,
        cast(sum(covered) as bigint) as covered,
        cast(sum(coverable) as bigint) as coverable{{names}}
    from keyed{{group}}
    having count(*) > 0
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
),

shown as (
    select
        b.status,
        cast(b.booked as double) / 1000000 as booked,
        cast(b.expected as double) / 1000000 as expected,
        cast(b.delivered as double) / 1000000 as delivered,
        cast(b.delivered as double) / nullif(b.expected, 0) as delivered_share,
        cast(b.delivered - b.expected as double) / 1000000 as difference,
        cast(b.delivered - b.expected as double) / nullif(b.expected, 0) as difference_share,
        cast(b.pending as double) / 1000000 as pending_plays,
        cast(round(cast(b.projected as double) / 1000000) as bigint) as projected,
        cast(round(cast(b.projected_low as double) / 1000000) as bigint) as projected_low,
        cast(round(cast(b.projected_high as double) / 1000000) as bigint) as projected_high,
        b.plays_per_zone_day,
        cast(round(cast(b.delivered as double) / nullif(b.booked_settled_days * 10000, 0)) as double) / 100
            as delivered_per_zone_day,
        cast(b.compliant_days as double) / nullif(b.measured_days, 0) as compliance,
        b.compliance_target,
        cast(b.compliant_days as double) / nullif(b.measured_days, 0) - b.compliance_target as compliance_difference,
        cast(round(b.scheduled_days) as bigint) as scheduled_days,
        b.settled_days,
        cast(b.booked_impressions as double) / 100 as booked_impressions,
        cast(round(cast(b.delivered_impressions as double) / 3600) as double) / 1000 as delivered_impressions,
        cast(b.covered as double) / nullif(b.coverable, 0) as impression_coverage{{names}}
    from bounded as b
)
