-- Plays by campaign, and by any of kind, group, location, city, zone, date, week, month and quarter. Columns that rows
-- are not grouped by are null. Without a group, a zone counts once, however many groups it belongs to; by group, it
-- counts once in each.
--
-- For: plays
-- Reads: campaign_slot, date_key, dim_campaign, dim_group, dim_location, dim_zone, fact_campaign_zone_day, p, zone_key
-- Attributes: zone, campaign
-- By:
--   campaign   kind, campaign_key, campaign_id, campaign_name
--   kind       kind
--   group      group_id, group_name
--   location   location_id, location_name
--   city       city
--   zone       zone_id, zone_name
--   date       date
--   week       week
--   month      month
--   quarter    quarter
-- Columns:
--   kind                = dim_campaign.kind
--   campaign_key        = dim_campaign.campaign_key
--   campaign_id         = dim_campaign.campaign_id
--   campaign_name       = dim_campaign.campaign_name
--   group_id            = dim_group.group_id
--   group_name          = dim_group.group_name
--   location_id         = dim_location.location_id
--   location_name       = dim_location.location_name
--   city                = dim_location.city
--   zone_id             = dim_zone.zone_id
--   zone_name           = dim_zone.zone_name
--   date                = dim_date.date
--   week                = plays.week
--   month               = dim_date.month
--   quarter             = plays.quarter
--   plays               = fact_play_day.plays: Plays of the campaign's active assets. Note: A play of a shared asset
--                       counts for each campaign that can claim it.
--   play_seconds        = fact_play_day.play_seconds: Total duration of these plays.
--   weighted_plays      = fact_campaign_zone_day.weighted_plays: Plays on days on which the campaign was scheduled, each
--                       divided by the number of scheduled campaigns that can claim it. Note: Over all campaigns, each
--                       play counts once.
--   weighted_seconds    = fact_campaign_zone_day.weighted_seconds: Duration of the plays on scheduled days in seconds,
--                       each divided by the number of scheduled campaigns that can claim it. Note: Over all campaigns,
--                       each second counts once.
--   unscheduled_plays   Unscheduled plays (count): Plays on days on which the campaign was not scheduled. Note: Only
--                       those that no scheduled campaign can claim; their weight is 0.
--   complete_plays      = fact_campaign_zone_day.complete_plays
--   measured_plays      = fact_campaign_zone_day.measured_plays
--   zones               = plays.zones
-- Single:
--   zones   zone

with -- Whole plays and seconds, and the rest in 10^11ths, because a sum of integers does not depend on their order.
cell as (
    select
        case when p.by_slot_1 then coalesce(z.key_slot_1, c.slot_1) end as key_slot_1,
        case when p.by_slot_2 then coalesce(z.key_slot_2, c.slot_2) end as key_slot_2,
        case when p.by_slot_3 then coalesce(z.key_slot_3, c.slot_3) end as key_slot_3,
        case when p.by_campaign then c.campaign_key end as key_campaign,
        case when p.by_campaign or p.by_kind then c.kind end as key_kind,
        z.key_group_id,
        z.key_location_id,
        z.key_city,
        z.key_zone_id,
        d.key_date,
        d.key_week,
        d.key_month,
        d.key_quarter,
        f.zone_id,
        f.state,
        f.candidate_plays,
        f.play_seconds,
        cast(floor(f.weighted_plays) as bigint) as whole_plays,
        cast(round((f.weighted_plays - floor(f.weighted_plays)) * 1e11) as bigint) as part_plays,
        cast(floor(f.weighted_seconds) as bigint) as whole_seconds,
        cast(round((f.weighted_seconds - floor(f.weighted_seconds)) * 1e11) as bigint) as part_seconds,
        f.complete_plays,
        f.measured_plays
    from p
    inner join fact_campaign_zone_day as f on f.date between p.date_from and p.date_to and f.candidate_plays > 0
    inner join date_key as d on d.date = f.date
    inner join zone_key as z on z.zone_id = f.zone_id and f.date between z.slot_from and z.slot_to
    inner join campaign_slot as c on c.campaign_key = f.campaign_key and f.date between c.slot_from and c.slot_to
),

summed as (
    select
        key_slot_1,
        key_slot_2,
        key_slot_3,
        key_kind,
        key_campaign,
        key_group_id,
        key_location_id,
        key_city,
        key_zone_id,
        key_date,
        key_week,
        key_month,
        key_quarter,
        cast(sum(candidate_plays) as bigint) as plays,
        cast(sum(play_seconds) as bigint) as play_seconds,
        cast(sum(whole_plays) as bigint) as whole_plays,
        cast(sum(part_plays) as bigint) as part_plays,
        cast(sum(whole_seconds) as bigint) as whole_seconds,
        cast(sum(part_seconds) as bigint) as part_seconds,
        cast(coalesce(sum(case when state = 'unscheduled' then candidate_plays end), 0) as bigint) as unscheduled_plays,
        cast(sum(complete_plays) as bigint) as complete_plays,
        cast(sum(measured_plays) as bigint) as measured_plays,
        count(distinct zone_id) as zones
    from cell
    group by
        key_slot_1, key_slot_2, key_slot_3, key_kind, key_campaign, key_group_id, key_location_id, key_city,
        key_zone_id, key_date, key_week, key_month, key_quarter
),

ranked as (
    select
        summed.*,
        row_number() over (
            order by
                plays desc, key_kind, key_campaign, key_slot_1, key_slot_2, key_slot_3, key_group_id, key_location_id,
                key_city, key_zone_id, key_date, key_week, key_month, key_quarter
        ) as place
    from summed
)

select
    r.key_slot_1 as attribute_1,
    r.key_slot_2 as attribute_2,
    r.key_slot_3 as attribute_3,
    r.key_kind as kind,
    r.key_campaign as campaign_key,
    n.campaign_id,
    n.campaign_name,
    r.key_group_id as group_id,
    g.group_name,
    r.key_location_id as location_id,
    l.location_name,
    r.key_city as city,
    r.key_zone_id as zone_id,
    z.zone_name,
    r.key_date as date,
    r.key_week as week,
    r.key_month as month,
    r.key_quarter as quarter,
    r.plays,
    r.play_seconds,
    cast(r.whole_plays as double) + cast(round(cast(r.part_plays as double) / 1e5) as double) / 1e6 as weighted_plays,
    cast(r.whole_seconds as double) + cast(round(cast(r.part_seconds as double) / 1e5) as double) / 1e6 as weighted_seconds,
    r.unscheduled_plays,
    case when r.measured_plays > 0 then r.complete_plays end as complete_plays,
    r.measured_plays,
    r.zones
from p
inner join ranked as r on p.top_rows is null or r.place <= p.top_rows
left join dim_campaign as n on n.campaign_key = r.key_campaign
left join dim_group as g on g.group_id = r.key_group_id
left join dim_location as l on l.location_id = r.key_location_id
left join dim_zone as z on z.zone_id = r.key_zone_id
order by
    case when p.top_rows is not null then r.place end, r.key_slot_1, r.key_slot_2, r.key_slot_3, r.key_kind,
    n.campaign_id, r.key_group_id, r.key_location_id, r.key_city, r.key_zone_id, r.key_date, r.key_week, r.key_month,
    r.key_quarter
