-- The listings of the day: the one in force at its start, those during it, and the first one after it.

with p as ({{cell}}),

day as (
    select z.*
    from p
    inner join fact_zone_day_listing as z on z.kind = p.kind and z.zone_id = p.zone_id and z.date = p.date
),

listing as (
    select
        l.is_at_start,
        l.is_in_day,
        l.is_after,
        l.is_fit,
        l.is_over,
        s.*
    from p
    inner join staging.listed_day as l
        on l.campaign_key = p.campaign_key and l.zone_id = p.zone_id and l.date = p.date
    inner join fact_listed_campaign as s
        on s.kind = l.kind
        and s.owner_kind = l.owner_kind
        and s.owner_id = l.owner_id
        and s.campaign_key = l.campaign_key
        and s.from_at = l.from_at
),

fact as (
    select
        1 as position,
        cast(null as timestamp(6)) as listed_from,
        'listing' as section,
        owner_kind || ' ' || cast(owner_id as varchar) as subject,
        case when is_assumed then 'assumed' else 'in force' end as value,
        coalesce('next listed on ' || substr(cast(after_at as varchar), 1, 19) || ' UTC, after this day', 'no listing after this day yet') as note
    from day
    union all
    select
        2 as position,
        s.seen_from_at as listed_from,
        'listing' as section,
        s.owner_kind || ' ' || cast(s.owner_id as varchar) || case
            when s.is_at_start and s.is_after then ', at the start of the day and after it'
            when s.is_at_start then ', at the start of the day'
            when s.is_in_day then ', during the day'
            else ', after the day'
        end as subject,
        coalesce(s.campaign_name, '') || ', ' || coalesce(s.status, 'no status') || ', '
        || case
            when s.start_date is null and s.end_date is null then 'no start or end date'
            when s.end_date is null then 'from ' || cast(s.start_date as varchar) || ' on'
            else coalesce(cast(s.start_date as varchar) || ' to ', 'until ') || cast(s.end_date as varchar)
        end
        || coalesce(', added ' || cast(s.add_date as varchar), '') as value,
        case when s.is_fit then 'scheduled for this day if an asset is active' else 'not scheduled for this day' end
        || ', according to ' || case when s.seen_from_at = s.last_seen_at then 'the listing of ' else 'listings from ' end
        || substr(cast(s.seen_from_at as varchar), 1, 19)
        || case when s.seen_from_at = s.last_seen_at then '' else ' to ' || substr(cast(s.last_seen_at as varchar), 1, 19) end || ' UTC'
        || coalesce('; ' || s.record_error, '') as note
    from listing as s
)

select
    section,
    subject,
    value,
    note
from fact
order by position, listed_from, subject
