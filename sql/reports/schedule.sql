-- Upcoming campaigns by any of campaign, zone, group, location, city and date, from the newest listings and rules:
-- scheduled days in the period, what ends in it, and what is not ready. Columns that rows are not grouped by are null.
--
-- Reads: bridge_zone_kind, bridge_zone_listing, campaign_slot, chosen_zone, device_now, dim_campaign, dim_date,
--   dim_group, dim_location, dim_opening_hours, dim_zone, fact_listed_asset, fact_listed_campaign, fact_rule_date,
--   mart_info, p, zone_key
-- Attributes: zone, campaign
-- By:
--   campaign   kind, campaign_key, campaign_id, campaign_name
--   zone       zone_id, zone_name
--   group      group_id, group_name
--   location   location_id, location_name
--   city       city
--   date       date
-- Columns:
--   kind             = dim_campaign.kind
--   campaign_key     = dim_campaign.campaign_key
--   campaign_id      = dim_campaign.campaign_id
--   campaign_name    = dim_campaign.campaign_name
--   zone_id          = dim_zone.zone_id
--   zone_name        = dim_zone.zone_name
--   group_id         = dim_group.group_id
--   group_name       = dim_group.group_name
--   location_id      = dim_location.location_id
--   location_name    = dim_location.location_name
--   city             = dim_location.city
--   date             = dim_date.date
--   campaigns        Campaigns (count): Campaigns that are scheduled in the period, or should be but are not ready.
--   zones            Zones (count): Zones in which they should run.
--   scheduled_days   Scheduled days (count): Zone days of the period on which a campaign should run: it is listed
--                    and enabled, within its dates and its rule, with at least one asset active. Note: As in the newest
--                    listings, in zones that play the kind.
--   not_ready        Not ready (count): Campaigns per zone with a reason why they may not run as scheduled.
--   reasons          Reasons (text): Why they are not ready. Note: No active asset; assets end before the campaign; no
--                    occurrence left; unreadable rule or date; zone closed, if its given opening hours leave out all
--                    days; devices down; zone silent. Devices are as of the data.
--   first_date       First scheduled (date): First scheduled day of the period.
--   last_date        Last scheduled (date): Last scheduled day of the period.
--   end_date         Ends on (date): Last day of the campaign, or the earliest of several; null: no end is known. Note:
--                    The campaign's last date, or the last occurrence of a rule whose UNTIL is in the period. COUNT is
--                    not considered.
--   ends_in_days     Ends in days (count): Days from the day of the data to the day on which it ends.
--   ending           Ending (count): Campaigns per zone that end in the period.
-- Single:
--   campaigns   campaign
--   zones       zone

with day as (
    select
        d.date,
        d.day_of_week
    from p
    inner join dim_date as d on d.date between p.date_from and p.date_to
),

-- One row per zone, campaign and listing that applies to the zone.
listed as (
    select
        b.zone_id,
        b.kind,
        s.owner_kind,
        s.owner_id,
        s.campaign_key,
        s.rule_id,
        -- UNTIL's date, as YYYYMMDD; null: the rule has none.
        case
            when position('until=' in lower(s.rrule)) > 0
                then substr(s.rrule, position('until=' in lower(s.rrule)) + 6, 8)
        end as until_day,
        coalesce(s.is_every_day, false) as is_every_day,
        s.record_error is not null or s.rule_error is not null as is_unreadable,
        coalesce(
            s.start_date, cast(s.add_date + interval '1' day as date), date '1900-01-01'
        ) as from_date,
        coalesce(s.end_date, date '9999-12-31') as to_date
    from bridge_zone_listing as b
    inner join chosen_zone as z on z.zone_id = b.zone_id
    inner join fact_listed_campaign as s
        on s.kind = b.kind and s.owner_kind = b.owner_kind and s.owner_id = b.owner_id
    where s.until_at is null and s.is_enabled
),

-- Zones with rows in bridge_zone_kind, which play only the kinds listed there.
given_zone as (
    select distinct zone_id
    from bridge_zone_kind
),

coming as (
    select l.*
    from p
    inner join listed as l on l.from_date <= p.date_to and l.to_date >= p.date_from
    where
        l.zone_id not in (select zone_id from given_zone)
        or exists (
            select 1
            from bridge_zone_kind as k
            where
                k.zone_id = l.zone_id
                and k.kind = l.kind
                and k.valid_from <= p.date_to
                and k.valid_to >= p.date_from
        )
),

-- The last day for which all rules are expanded.
expanded as (
    select cast(cast(coalesce(data_as_of, built_at) as date) + interval '60' day as date) as known_to
    from mart_info
),

-- Remaining occurrences, from the first day of the period on.
occurrence as (
    select
        c.rule_id,
        c.from_date,
        c.to_date,
        max(o.date) as last_date
    from p
    cross join (select distinct rule_id, from_date, to_date from coming) as c
    inner join fact_rule_date as o
        on o.rule_id = c.rule_id and o.date between c.from_date and c.to_date and o.date >= p.date_from
    group by c.rule_id, c.from_date, c.to_date
),

ended as (
    select
        c.*,
        -- Expanded occurrences end some 60 days after the data, so a rare rule may have none of them left.
        c.rule_id is not null
        and not c.is_every_day
        and not c.is_unreadable
        and o.last_date is null
        and (
            c.to_date <= w.known_to
            or coalesce(c.until_day <= replace(cast(w.known_to as varchar), '-', ''), false)
        ) as is_over,
        case
            when c.until_day <= replace(cast(p.date_to as varchar), '-', '') and o.last_date < c.to_date then o.last_date
            when c.to_date < date '9999-12-31' then c.to_date
        end as end_date
    from p
    cross join expanded as w
    cross join coming as c
    left join occurrence as o
        on o.rule_id = c.rule_id and o.from_date = c.from_date and o.to_date = c.to_date
),

active as (
    select distinct
        a.owner_kind,
        a.owner_id,
        a.campaign_key,
        d.date
    from fact_listed_asset as a
    inner join day as d
        on coalesce(a.start_date, date '1900-01-01') <= d.date and coalesce(a.end_date, date '9999-12-31') >= d.date
    where a.until_at is null
),

open_day as (
    select
        zone_id,
        day_of_week
    from dim_opening_hours
    union
    select
        zone_id,
        day_of_week % 7 + 1 as day_of_week
    from dim_opening_hours
    where closes_secs > 86400
),

-- Days on which a campaign should run, whether or not it has an asset.
cell as (
    select
        c.zone_id,
        c.campaign_key,
        d.date,
        bool_or(a.date is not null) as is_scheduled,
        bool_or(h.zone_id is not null and w.zone_id is null) as is_closed
    from coming as c
    inner join day as d on d.date between c.from_date and c.to_date
    left join fact_rule_date as o on o.rule_id = c.rule_id and o.date = d.date
    left join active as a
        on a.owner_kind = c.owner_kind
        and a.owner_id = c.owner_id
        and a.campaign_key = c.campaign_key
        and a.date = d.date
    left join given_zone as g on g.zone_id = c.zone_id
    left join bridge_zone_kind as k
        on k.zone_id = c.zone_id and k.kind = c.kind and d.date between k.valid_from and k.valid_to
    left join (select distinct zone_id from open_day) as h on h.zone_id = c.zone_id
    left join open_day as w on w.zone_id = c.zone_id and w.day_of_week = d.day_of_week
    where
        not c.is_unreadable
        and (c.rule_id is null or c.is_every_day or o.date is not null)
        and (g.zone_id is null or k.zone_id is not null)
    group by c.zone_id, c.campaign_key, d.date
),

cells as (
    select
        zone_id,
        campaign_key,
        count(*) as days,
        count(case when is_closed then 1 end) as closed_days,
        max(date) as last_date,
        max(case when is_scheduled then date end) as last_scheduled_date
    from cell
    group by zone_id, campaign_key
),

zone_now as (
    select
        zone_id,
        count(*) as devices,
        count(case when state = 'down' then 1 end) as down_devices,
        count(case when state = 'silent' then 1 end) as silent_devices
    from device_now
    where state <> 'replaced'
    group by zone_id
),

pair as (
    select
        zone_id,
        campaign_key,
        bool_and(is_unreadable) as is_unreadable,
        bool_and(is_over) as is_over,
        case when count(*) = count(end_date) then max(end_date) end as end_date
    from ended
    group by zone_id, campaign_key
),

-- One row per zone and campaign that should run in the period or can no longer run.
judged as (
    select
        r.zone_id,
        r.campaign_key,
        r.end_date,
        c.days > 0 and c.last_scheduled_date is null as has_no_asset,
        coalesce(c.last_scheduled_date < c.last_date, false) as has_short_asset,
        r.is_over and c.days is null as is_over,
        r.is_unreadable,
        coalesce(c.closed_days = c.days, false) as is_closed,
        coalesce(c.days > 0 and n.down_devices = n.devices, false) as is_down,
        coalesce(c.days > 0 and n.down_devices < n.devices and n.silent_devices > 0, false) as is_silent
    from pair as r
    left join cells as c on c.zone_id = r.zone_id and c.campaign_key = r.campaign_key
    left join zone_now as n on n.zone_id = r.zone_id
    where c.days > 0 or r.is_over or r.is_unreadable
),

keyed as (
    select
        case when p.by_slot_1 then coalesce(z.key_slot_1, k.slot_1) end as key_slot_1,
        case when p.by_slot_2 then coalesce(z.key_slot_2, k.slot_2) end as key_slot_2,
        case when p.by_slot_3 then coalesce(z.key_slot_3, k.slot_3) end as key_slot_3,
        case when p.by_campaign then j.campaign_key end as key_campaign,
        z.key_zone_id,
        z.key_group_id,
        z.key_location_id,
        z.key_city,
        case when p.by_date then c.date end as key_date,
        j.*,
        c.date,
        coalesce(c.is_scheduled, false) as is_scheduled,
        j.end_date <= p.date_to as is_ending,
        j.has_no_asset or j.has_short_asset or j.is_over or j.is_unreadable or j.is_closed or j.is_down or j.is_silent
            as is_not_ready
    from p
    cross join judged as j
    left join cell as c on c.zone_id = j.zone_id and c.campaign_key = j.campaign_key
    inner join zone_key as z
        on z.zone_id = j.zone_id and coalesce(c.date, p.date_from) between z.slot_from and z.slot_to
    inner join campaign_slot as k
        on k.campaign_key = j.campaign_key and coalesce(c.date, p.date_from) between k.slot_from and k.slot_to
    where not p.by_date or c.date is not null
),

by_pair as (
    select
        key_slot_1,
        key_slot_2,
        key_slot_3,
        key_campaign,
        key_zone_id,
        key_group_id,
        key_location_id,
        key_city,
        key_date,
        zone_id,
        campaign_key,
        count(case when is_scheduled then 1 end) as scheduled_days,
        min(case when is_scheduled then date end) as first_date,
        max(case when is_scheduled then date end) as last_date,
        max(end_date) as end_date,
        bool_or(is_ending) as is_ending,
        bool_or(is_not_ready) as is_not_ready,
        bool_or(has_no_asset) as has_no_asset,
        bool_or(has_short_asset) as has_short_asset,
        bool_or(is_over) as is_over,
        bool_or(is_unreadable) as is_unreadable,
        bool_or(is_closed) as is_closed,
        bool_or(is_down) as is_down,
        bool_or(is_silent) as is_silent
    from keyed
    group by
        key_slot_1, key_slot_2, key_slot_3, key_campaign, key_zone_id, key_group_id, key_location_id, key_city, key_date,
        zone_id, campaign_key
),

counted as (
    select
        key_slot_1,
        key_slot_2,
        key_slot_3,
        key_campaign,
        key_zone_id,
        key_group_id,
        key_location_id,
        key_city,
        key_date,
        count(distinct campaign_key) as campaigns,
        count(distinct zone_id) as zones,
        cast(sum(scheduled_days) as bigint) as scheduled_days,
        min(first_date) as first_date,
        max(last_date) as last_date,
        min(end_date) as end_date,
        count(case when is_ending then 1 end) as ending,
        count(case when is_not_ready then 1 end) as not_ready,
        case when bool_or(has_no_asset) then '; no active asset' else '' end
        || case when bool_or(has_short_asset) then '; assets end before the campaign' else '' end
        || case when bool_or(is_over) then '; no occurrence left' else '' end
        || case when bool_or(is_unreadable) then '; unreadable rule or date' else '' end
        || case when bool_or(is_closed) then '; zone closed' else '' end
        || case when bool_or(is_down) then '; devices down' else '' end
        || case when bool_or(is_silent) then '; zone silent' else '' end as reasons
    from by_pair
    group by
        key_slot_1, key_slot_2, key_slot_3, key_campaign, key_zone_id, key_group_id, key_location_id, key_city, key_date
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
    s.campaigns,
    s.zones,
    s.scheduled_days,
    s.not_ready,
    nullif(substr(s.reasons, 3), '') as reasons,
    s.first_date,
    s.last_date,
    s.end_date,
    date_diff('day', cast(coalesce(i.data_as_of, i.built_at) as date), cast(s.end_date as date)) as ends_in_days,
    s.ending
from counted as s
cross join mart_info as i
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
    s.key_zone_id,
    s.key_group_id,
    s.key_location_id,
    s.key_city,
    s.key_date
