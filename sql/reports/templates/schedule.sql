-- Campaigns that should run in the period according to the latest listings and rules, grouped by any keys of their zone
-- days. Also lists campaigns that end in the period or are not ready.

with day as (
    select
        d.date,
        d.day_of_week
    from dim_date as d
    where d.date between {{from}} and {{to}}
),

-- One row per zone, campaign and listing that applies to the zone.
listed as (
    select
        f.zone_id,
        f.kind,
        f.owner_kind,
        f.owner_id,
        f.campaign_key,
        f.rule_id,
        -- UNTIL's date, as YYYYMMDD; null: the rule has none.
        case
            when position('until=' in lower(f.rrule)) > 0
                then substr(f.rrule, position('until=' in lower(f.rrule)) + 6, 8)
        end as until_day,
        coalesce(f.is_every_day, false) as is_every_day,
        f.record_error is not null or f.rule_error is not null as is_unreadable,
        coalesce(
            f.start_date, cast(f.add_date + interval '1' day as date), date '1900-01-01'
        ) as from_date,
        coalesce(f.end_date, date '9999-12-31') as to_date
    from (
        select
            b.zone_id,
            s.*
        from bridge_zone_listing as b
        inner join fact_listed_campaign as s
            on s.kind = b.kind and s.owner_kind = b.owner_kind and s.owner_id = b.owner_id
    ) as f
    where f.until_at is null and f.is_enabled{{zone_filters}}{{campaign_filters}}
),

-- Zones with rows in bridge_zone_kind, which play only the kinds listed there.
given_zone as (
    select distinct zone_id
    from bridge_zone_kind
),

coming as (
    select l.*
    from listed as l
    where
        l.from_date <= {{to}}
        and l.to_date >= {{from}}
        and (
            l.zone_id not in (select zone_id from given_zone)
            or exists (
                select 1
                from bridge_zone_kind as k
                where
                    k.zone_id = l.zone_id
                    and k.kind = l.kind
                    and k.valid_from <= {{to}}
                    and k.valid_to >= {{from}}
            )
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
    from (select distinct rule_id, from_date, to_date from coming) as c
    inner join fact_rule_date as o
        on o.rule_id = c.rule_id and o.date between c.from_date and c.to_date and o.date >= {{from}}
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
            when c.until_day <= replace(cast({{to}} as varchar), '-', '') and o.last_date < c.to_date then o.last_date
            when c.to_date < date '9999-12-31' then c.to_date
        end as end_date
    from expanded as w
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

{{devices}},

zone_now as (
    select
        zone_id,
        count(*) as devices,
        count(case when state = 'down' then 1 end) as down_devices,
        count(case when state = 'silent' then 1 end) as silent_devices
    from device
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
assessed as (
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
        f.zone_id as of_zone,
        f.campaign_key as of_campaign,
        f.day,
        f.is_scheduled,
        f.end_date,
        f.has_no_asset,
        f.has_short_asset,
        f.is_over,
        f.is_unreadable,
        f.is_closed,
        f.is_down,
        f.is_silent{{day_keys}}{{zone_keys}}{{campaign_keys}}
    from (
        select
            j.*,
            c.date as day,
            coalesce(c.date, {{from}}) as date,
            coalesce(c.is_scheduled, false) as is_scheduled
        from assessed as j
        left join cell as c on c.zone_id = j.zone_id and c.campaign_key = j.campaign_key
    ) as f{{zone_joins}}{{campaign_joins}}
    where (f.day is not null or not {{day_used}}){{zone_values}}{{campaign_values}}
),

by_pair as (
    select
        of_zone,
        of_campaign,
        count(case when is_scheduled then 1 end) as scheduled_days,
        min(case when is_scheduled then day end) as first_date,
        max(case when is_scheduled then day end) as last_date,
        max(end_date) as end_date,
        bool_or(end_date <= {{to}}) as is_ending,
        bool_or(has_no_asset) as has_no_asset,
        bool_or(has_short_asset) as has_short_asset,
        bool_or(is_over) as is_over,
        bool_or(is_unreadable) as is_unreadable,
        bool_or(is_closed) as is_closed,
        bool_or(is_down) as is_down,
        bool_or(is_silent) as is_silent{{names}}
    from keyed
    group by of_zone, of_campaign{{names}}
),

counted as (
    select
        count(distinct of_campaign) as campaigns,
        count(distinct of_zone) as zones,
        cast(sum(scheduled_days) as bigint) as scheduled_days,
        min(first_date) as first_date,
        max(last_date) as last_date,
        min(end_date) as end_date,
        count(case when is_ending then 1 end) as ending,
        count(
            case
                when has_no_asset or has_short_asset or is_over or is_unreadable or is_closed or is_down or is_silent
                    then 1
            end
        ) as not_ready,
        case when bool_or(has_no_asset) then '; no active asset' else '' end
        || case when bool_or(has_short_asset) then '; assets end before the campaign' else '' end
        || case when bool_or(is_over) then '; no occurrence left' else '' end
        || case when bool_or(is_unreadable) then '; unreadable rule or date' else '' end
        || case when bool_or(is_closed) then '; zone closed' else '' end
        || case when bool_or(is_down) then '; devices down' else '' end
        || case when bool_or(is_silent) then '; zone silent' else '' end as reasons{{names}}
    from by_pair{{group}}
    having count(*) > 0
),

shown as (
    select
        c.campaigns,
        c.zones,
        c.scheduled_days,
        c.not_ready,
        nullif(substr(c.reasons, 3), '') as reasons,
        c.first_date,
        c.last_date,
        c.end_date,
        date_diff('day', cast(coalesce(i.data_as_of, i.built_at) as date), cast(c.end_date as date)) as ends_in_days,
        c.ending{{names}}
    from counted as c
    cross join mart_info as i
)
