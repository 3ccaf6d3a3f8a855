-- Last request for each type of listing: per group, and for the status API. For listings of single zones, the row
-- describes the zone listed longest ago. Zones whose devices have all left are excluded.

with newest as (
    select
        l.source,
        coalesce(l.kind || ' ', '') || l.source as listing,
        l.group_id,
        l.zone_id,
        max(l.requested_at) as requested_at
    from fact_snapshot as l
    where l.kind is null or l.kind in ({{kinds}})
    group by l.source, coalesce(l.kind || ' ', '') || l.source, l.group_id, l.zone_id
),

closed_zone as (
    select d.zone_id
    from dim_device as d
    inner join ({{listed_zone}}) as l on l.zone_id = d.zone_id
    group by d.zone_id
    having max(d.last_seen_at) < min(l.requested_at)
),

owner_listing as (
    select
        n.listing,
        'group ' || cast(n.group_id as varchar)
        || case when g.group_name <> 'Group ' || cast(n.group_id as varchar) then ' (' || g.group_name || ')' else '' end
            as owner,
        n.requested_at
    from newest as n
    inner join dim_group as g on g.group_id = n.group_id
    where n.group_id in (select group_id from ({{group_zones}}) as g)
    union all
    select
        listing,
        'zones' as owner,
        min(requested_at) as requested_at
    from newest
    where
        zone_id in ({{zones}})
        and zone_id in (select zone_id from ({{group_zones}}) as g)
        and zone_id not in (select zone_id from closed_zone)
    group by listing
    union all
    select
        listing,
        'status API' as owner,
        requested_at
    from newest
    where source in ('notices', 'components')
),

aged as (
    select
        a.owner,
        a.listing,
        substr(cast(a.requested_at as varchar), 1, 10) || 'T' || substr(cast(a.requested_at as varchar), 12, 8) || 'Z'
            as requested,
        date_diff('second', cast(date_trunc('second', a.requested_at) as timestamp(6)), {{now}}) as age_seconds
    from owner_listing as a
)

select
    'freshness' as section,
    owner || ', ' || listing as subject,
    requested as value,
    case
        when age_seconds < 0 then 'requested after "now"'
        when age_seconds < 172800 then cast(cast(floor(cast(age_seconds as double) / 3600) as bigint) as varchar) || ' hours old'
        else cast(cast(floor(cast(age_seconds as double) / 86400) as bigint) as varchar) || ' days old'
    end
    || case when owner = 'zones' then ', of the zone not seen for longest' else '' end as note
from aged
order by owner, listing
