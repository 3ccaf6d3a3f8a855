-- The zone's local day: its start and end, plays, opening hours, and the state of its devices.

with p as ({{cell}}),

day as (
    select distinct
        d.start_at,
        d.end_at,
        d.has_plays,
        d.is_closed
    from p
    inner join fact_zone_day_listing as d on d.zone_id = p.zone_id and d.date = p.date
),

listing as (
    select max(l.settled_until) as settled_until
    from p
    inner join bridge_zone_listing as l on l.kind = p.kind and l.zone_id = p.zone_id
),

-- Returns rows only if zone_kinds.csv excludes the kind.
other_kind as (
    select distinct d.kind
    from p
    inner join fact_zone_day_listing as d on d.kind = p.kind and d.zone_id = p.zone_id and d.date = p.date
    where not d.has_kind
),

device as (
    select f.*
    from p
    inner join fact_device_day as f on f.zone_id = p.zone_id and f.date = p.date
),

fact as (
    select
        1 as position,
        'day' as section,
        'from, to (UTC)' as subject,
        substr(cast(start_at as varchar), 1, 19) || ', ' || substr(cast(end_at as varchar), 1, 19) as value,
        'the zone''s local day' as note
    from day
    union all
    select
        2 as position,
        'day' as section,
        'settled' as subject,
        case when l.settled_until >= d.end_at then 'yes' else 'no' end as value,
        coalesce(
            'days that ended by ' || substr(cast(l.settled_until as varchar), 1, 19) || ' are covered by a complete export or walk that was '
            || 'requested late enough',
            'no complete export or walk of this kind covers the zone'
        ) as note
    from day as d
    cross join listing as l
    union all
    select
        3 as position,
        'day' as section,
        'plays of any kind' as subject,
        case when has_plays then 'yes' else 'no' end as value,
        '' as note
    from day
    union all
    select
        4 as position,
        'day' as section,
        'closed' as subject,
        case when is_closed then 'yes' else 'no' end as value,
        'means: no plays of any kind, and no opening hours, given or learnt from the surrounding weeks' as note
    from day
    union all
    select
        4 as position,
        'day' as section,
        'plays ' || kind as subject,
        'no' as value,
        'by reference/zone_kinds.csv, so no ' || kind || ' campaign is scheduled' as note
    from other_kind
    union all
    select
        5 as position,
        'day' as section,
        'device ' || cast(device_id as varchar) as subject,
        cast(up_seconds as varchar) || ' s up, ' || cast(down_seconds as varchar) || ' s down' as value,
        cast(unknown_seconds as varchar) || ' s unknown' as note
    from device
    union all
    select
        5 as position,
        'day' as section,
        'device' as subject,
        'not checked on this day' as value,
        '' as note
    from day
    where not exists (select 1 from device)
)

select
    section,
    subject,
    value,
    note
from fact
order by position, subject
