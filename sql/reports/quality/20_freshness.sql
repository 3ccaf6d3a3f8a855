-- One row per group and kind: when the newest complete export was asked for, and how long ago that is.
-- Reads fact_load, dim_group, dim_kind.
with p as (
    select
        cast(? as timestamp) as now_at,
        cast(? as date) as date_from,
        cast(? as date) as date_to,
        cast(? as varchar) as group_ids,
        cast(? as varchar) as zone_ids,
        cast(? as varchar) as location_ids,
        cast(? as varchar) as kinds
),

newest as (
    select
        group_id,
        kind,
        max(requested_at) as requested_at
    from fact_load
    where source = 'export'
    group by group_id, kind
),

aged as (
    select
        g.group_id,
        g.group_name,
        k.kind,
        substr(cast(n.requested_at as varchar), 1, 10) || 'T' || substr(cast(n.requested_at as varchar), 12, 8) || 'Z'
            as requested,
        date_diff('second', n.requested_at, p.now_at) as age_seconds
    from p
    cross join dim_group as g
    cross join dim_kind as k
    left join newest as n on n.group_id = g.group_id and n.kind = k.kind
    where
        (p.group_ids = '' or position(',' || cast(g.group_id as varchar) || ',' in p.group_ids) > 0)
        and (p.kinds = '' or position(',' || k.kind || ',' in p.kinds) > 0)
)

select
    'freshness' as section,
    'group ' || cast(group_id as varchar)
    || case when group_name <> 'Group ' || cast(group_id as varchar) then ' (' || group_name || ')' else '' end
    || ', ' || kind as subject,
    coalesce(requested, 'never') as value,
    case
        when age_seconds is null then 'no complete export yet'
        when age_seconds < 0 then 'requested after "now"'
        when age_seconds < 172800 then cast(cast(floor(cast(age_seconds as double) / 3600) as bigint) as varchar) || ' hours old'
        else cast(cast(floor(cast(age_seconds as double) / 86400) as bigint) as varchar) || ' days old'
    end as note
from aged
order by group_id, kind
