-- Compliance by any of campaign, zone, group, location, city, date, week, month and quarter. Columns that rows are not
-- grouped by are null. Without a group, a zone counts once, however many groups it belongs to; by group, it counts once
-- in each.
--
-- Reads: campaign_slot, date_key, dim_campaign, dim_group, dim_location, dim_zone, fact_campaign_zone_day,
--   fact_device_day, p, zone_key
-- Attributes: zone, campaign
-- Unshown: assumed_days, missed_down_days
-- Uncompared: last_played_date, first_missed_date
-- By:
--   campaign   kind, campaign_key, campaign_id, campaign_name
--   zone       zone_id, zone_name
--   group      group_id, group_name
--   location   location_id, location_name
--   city       city
--   date       date
--   week       week
--   month      month
--   quarter    quarter
-- Columns:
--   kind                  = dim_campaign.kind
--   campaign_key          = dim_campaign.campaign_key
--   campaign_id           = dim_campaign.campaign_id
--   campaign_name         = dim_campaign.campaign_name
--   zone_id               = dim_zone.zone_id
--   zone_name             = dim_zone.zone_name
--   group_id              = dim_group.group_id
--   group_name            = dim_group.group_name
--   location_id           = dim_location.location_id
--   location_name         = dim_location.location_name
--   city                  = dim_location.city
--   date                  = dim_date.date
--   week                  = plays.week
--   month                 = dim_date.month
--   quarter               = plays.quarter
--   scheduled_days        Scheduled days (count): Zone days on which a campaign was listed and enabled, within its dates
--                         and its rule, with at least one asset active.
--   compliant_days        Days that ran (count): Scheduled zone days on which at least one of the campaign's assets
--                         played.
--   missed_days           Missed (count): Scheduled zone days without a play of the campaign's assets although a device
--                         was up for at least part of the day, or the zone had other plays.
--   missed_offline_days   Missed while down (count): Scheduled zone days without a play of the campaign's assets, on
--                         which the device was down and never known to be up.
--   closed_days           Closed (count): Scheduled zone days without any plays on which the zone has no opening
--                         hours; not counted against it. Note: Without given hours, a zone counts as closed if it did
--                         not play on this weekday in the surrounding four weeks, but did on other days.
--   not_measurable_days   Not measurable (count): Scheduled zone days with too little information: listings disagree,
--                         or neither plays nor the device's state are known.
--   pending_days          Pending (count): Scheduled zone days whose history is not settled yet; it is complete some
--                         days after the end of the day. Note: VENUE_SETTLE_DAYS sets the number of days; the default
--                         is 3.
--   unscheduled_days      Unscheduled (count): Zone days on which a campaign played although it was not scheduled;
--                         shown, but never counted against it.
--   compliance            Compliance (share): Days that ran ÷ (days that ran + missed + missed while down). Note:
--                         Closed, pending and not measurable days are left out.
--   coverage              Coverage (share): Share of the requested data that could be measured; the other figures
--                         refer only to that part. Note: 1 − not measurable ÷ (scheduled − pending − closed).
--   asset_coverage        Asset coverage (share): Assets that played ÷ assets that were active, over the days that
--                         compliance counts.
--   due_times             = fact_campaign_zone_day.due_times: Times of day at which campaigns were due, while zones
--                         were open, over the days that ran and the days missed although a device was up for at least
--                         part of the day. Note: Blank if no rule names times.
--   met_times             = fact_campaign_zone_day.met_times: Due times at which the campaign ran: a candidate play
--                         began then, or less than VENUE_SLOT_MINUTES later, on the same day.
--   punctuality           Punctuality (share): Met times ÷ due times. Note: Blank if no rule names times.
--   candidate_plays       = fact_campaign_zone_day.candidate_plays
--   exclusive_plays       = fact_campaign_zone_day.exclusive_plays
--   complete_plays        = fact_campaign_zone_day.complete_plays
--   measured_plays        = fact_campaign_zone_day.measured_plays
--   zones_scheduled       Zones scheduled (count): Zones with at least one scheduled day.
--   zones_reached         Zones reached (count): Zones with at least one day that ran.
--   last_played_date      Last ran (date): Last local date in the period with a day that ran; blank if none did. Note: In
--                         a row of several campaigns or zones, any of them.
--   first_missed_date     Missed since (date): First local date in the period, after the last date with a day that ran,
--                         with a missed day, whether or not the device was down; blank if there is none. Note: If no day
--                         ran, the first missed date of the period.
--   assumed_days          Assumed days (count): Scheduled zone days whose schedule is assumed, because the zone had no
--                         listing of its own yet.
--   missed_down_days      Missed with downtime (count): Missed days on which a device of the zone is known to have
--                         been down for part of the day.
-- Single:
--   zones_scheduled     zone
--   zones_reached       zone
--   last_played_date    date, week, month, quarter
--   first_missed_date   date, week, month, quarter

with -- Numbers the result rows before days are read, because grouping by one number is far faster than by all columns.
place as (
    select
        z.*,
        dense_rank() over (
            order by key_slot_1, key_slot_2, key_slot_3, key_zone_id, key_group_id, key_location_id, key_city
        ) as place_no
    from zone_key as z
),

campaign as (
    select
        keyed.*,
        10000000 * dense_rank() over (order by key_slot_1, key_slot_2, key_slot_3, key_campaign) as campaign_no
    from (
        select
            c.campaign_key,
            c.slot_from,
            c.slot_to,
            case when p.by_slot_1 then c.slot_1 end as key_slot_1,
            case when p.by_slot_2 then c.slot_2 end as key_slot_2,
            case when p.by_slot_3 then c.slot_3 end as key_slot_3,
            case when p.by_campaign then c.campaign_key end as key_campaign
        from p
        cross join campaign_slot as c
    ) as keyed
),

moment as (
    select
        d.*,
        10000000000000 * dense_rank() over (order by key_date, key_week, key_month, key_quarter) as moment_no
    from date_key as d
),

down_day as (
    select distinct
        f.zone_id,
        f.date
    from p
    inner join fact_device_day as f on f.date between p.date_from and p.date_to
    where f.down_seconds > 0
),

cell as (
    select
        z.place_no + c.campaign_no + d.moment_no as row_no,
        f.zone_id,
        f.date,
        f.state,
        f.is_assumed,
        f.active_assets,
        f.played_assets,
        case when f.state in ('compliant', 'missed') then f.due_times end as due_times,
        case when f.state in ('compliant', 'missed') then f.met_times end as met_times,
        f.candidate_plays,
        f.exclusive_plays,
        f.complete_plays,
        f.measured_plays,
        f.state in ('compliant', 'missed', 'missed_offline') as is_measured,
        f.state = 'missed' and o.zone_id is not null as is_missed_with_downtime,
        position(',' || f.state || ',' in p.states) > 0 as is_asked_for
    from p
    -- Repeats date_key's condition, so that campaign days outside the period are not read.
    inner join fact_campaign_zone_day as f on f.date between p.date_from and p.date_to
    inner join moment as d on d.date = f.date
    inner join place as z on z.zone_id = f.zone_id and f.date between z.slot_from and z.slot_to
    inner join campaign as c on c.campaign_key = f.campaign_key and f.date between c.slot_from and c.slot_to
    left join down_day as o on o.zone_id = f.zone_id and o.date = f.date
),

counted as (
    select
        row_no,
        count(case when state <> 'unscheduled' then 1 end) as scheduled_days,
        count(case when state <> 'unscheduled' and is_assumed then 1 end) as assumed_days,
        count(case when state = 'compliant' then 1 end) as compliant_days,
        count(case when state = 'missed' then 1 end) as missed_days,
        count(case when is_missed_with_downtime then 1 end) as missed_down_days,
        count(case when state = 'missed_offline' then 1 end) as missed_offline_days,
        count(case when state = 'closed' then 1 end) as closed_days,
        count(case when state = 'not_measurable' then 1 end) as not_measurable_days,
        count(case when state = 'pending' then 1 end) as pending_days,
        count(case when state = 'unscheduled' then 1 end) as unscheduled_days,
        cast(coalesce(sum(case when is_measured then active_assets end), 0) as bigint) as active_assets,
        cast(coalesce(sum(case when is_measured then played_assets end), 0) as bigint) as played_assets,
        cast(sum(due_times) as bigint) as due_times,
        cast(sum(met_times) as bigint) as met_times,
        cast(coalesce(sum(candidate_plays), 0) as bigint) as candidate_plays,
        cast(coalesce(sum(exclusive_plays), 0) as bigint) as exclusive_plays,
        cast(coalesce(sum(complete_plays), 0) as bigint) as complete_plays,
        cast(coalesce(sum(measured_plays), 0) as bigint) as measured_plays,
        count(distinct case when state <> 'unscheduled' then zone_id end) as zones_scheduled,
        count(distinct case when state = 'compliant' then zone_id end) as zones_reached,
        count(case when is_asked_for then 1 end) as asked_days
    from cell
    group by row_no
),

-- A row's dates with its outcomes, far fewer than its days.
dated as (
    select
        row_no,
        date,
        bool_or(state = 'compliant') as is_played,
        bool_or(state <> 'compliant') as is_missed
    from cell
    where is_measured
    group by row_no, date
),

followed as (
    select
        dated.*,
        max(case when is_played then date end) over (partition by row_no) as last_played_date
    from dated
),

since as (
    select
        row_no,
        max(last_played_date) as last_played_date,
        min(case when is_missed and date > coalesce(last_played_date, date '1900-01-01') then date end)
            as first_missed_date
    from followed
    group by row_no
),

-- Maps the numbers back to their labels.
shown as (
    select
        counted.*,
        since.last_played_date,
        since.first_missed_date,
        coalesce(z.key_slot_1, c.key_slot_1) as key_slot_1,
        coalesce(z.key_slot_2, c.key_slot_2) as key_slot_2,
        coalesce(z.key_slot_3, c.key_slot_3) as key_slot_3,
        c.key_campaign,
        z.key_zone_id,
        z.key_group_id,
        z.key_location_id,
        z.key_city,
        d.key_date,
        d.key_week,
        d.key_month,
        d.key_quarter
    from p
    inner join counted on p.states = '' or counted.asked_days > 0
    left join since on since.row_no = counted.row_no
    inner join (
        select distinct
            place_no, key_slot_1, key_slot_2, key_slot_3, key_zone_id, key_group_id, key_location_id, key_city
        from place
    ) as z on z.place_no = counted.row_no % 10000000
    inner join (
        select distinct campaign_no, key_slot_1, key_slot_2, key_slot_3, key_campaign
        from campaign
    ) as c on c.campaign_no = counted.row_no % 10000000000000 - counted.row_no % 10000000
    inner join (
        select distinct moment_no, key_date, key_week, key_month, key_quarter
        from moment
    ) as d on d.moment_no = counted.row_no - counted.row_no % 10000000000000
)

select
    s.key_slot_1 as attribute_1,
    s.key_slot_2 as attribute_2,
    s.key_slot_3 as attribute_3,
    n.kind,
    s.key_campaign as campaign_key,
    n.campaign_id,
    n.campaign_name,
    s.key_zone_id as zone_id,
    z.zone_name,
    s.key_group_id as group_id,
    g.group_name,
    s.key_location_id as location_id,
    l.location_name,
    s.key_city as city,
    s.key_date as date,
    s.key_week as week,
    s.key_month as month,
    s.key_quarter as quarter,
    coalesce(s.scheduled_days, 0) as scheduled_days,
    coalesce(s.compliant_days, 0) as compliant_days,
    coalesce(s.missed_days, 0) as missed_days,
    coalesce(s.missed_offline_days, 0) as missed_offline_days,
    coalesce(s.closed_days, 0) as closed_days,
    coalesce(s.not_measurable_days, 0) as not_measurable_days,
    coalesce(s.pending_days, 0) as pending_days,
    coalesce(s.unscheduled_days, 0) as unscheduled_days,
    cast(s.compliant_days as double) / nullif(s.compliant_days + s.missed_days + s.missed_offline_days, 0) as compliance,
    1 - cast(s.not_measurable_days as double) / nullif(s.scheduled_days - s.pending_days - s.closed_days, 0) as coverage,
    cast(s.played_assets as double) / nullif(s.active_assets, 0) as asset_coverage,
    s.due_times,
    s.met_times,
    cast(s.met_times as double) / nullif(s.due_times, 0) as punctuality,
    coalesce(s.candidate_plays, 0) as candidate_plays,
    coalesce(s.exclusive_plays, 0) as exclusive_plays,
    coalesce(s.complete_plays, 0) as complete_plays,
    coalesce(s.measured_plays, 0) as measured_plays,
    coalesce(s.zones_scheduled, 0) as zones_scheduled,
    coalesce(s.zones_reached, 0) as zones_reached,
    s.last_played_date,
    s.first_missed_date,
    -- For notes and sentences, not shown as columns.
    coalesce(s.assumed_days, 0) as assumed_days,
    coalesce(s.missed_down_days, 0) as missed_down_days
from p
left join shown as s on true
left join dim_campaign as n on n.campaign_key = s.key_campaign
left join dim_zone as z on z.zone_id = s.key_zone_id
left join dim_group as g on g.group_id = s.key_group_id
left join dim_location as l on l.location_id = s.key_location_id
-- Without data, the total is a row of zeros; there are no grouped rows, and no rows if states are given.
where
    s.scheduled_days is not null
    or not (
        p.states <> '' or p.by_campaign or p.by_zone or p.by_group or p.by_location or p.by_city
        or p.by_date or p.by_week or p.by_month or p.by_quarter
        or p.by_slot_1 or p.by_slot_2 or p.by_slot_3
    )
order by
    s.key_slot_1,
    s.key_slot_2,
    s.key_slot_3,
    n.kind,
    n.campaign_id,
    s.key_zone_id,
    s.key_group_id,
    s.key_location_id,
    s.key_city,
    s.key_date,
    s.key_week,
    s.key_month,
    s.key_quarter
